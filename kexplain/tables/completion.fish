function __kexplain_offered
  set -l words (commandline -opc) (commandline -ct)
  set -l directive 0
  for line in ($words[1] __complete $words[2..-1] 2>/dev/null)
    if string match -qr '^:[0-9]+$' -- $line
      set directive (string sub -s 2 -- $line)
    else
      echo $line
    end
  end
  if test (math "bitand($directive, 4)") -eq 0
    __fish_complete_path (commandline -ct)
  end
end
complete -c kexplain -f -a '(__kexplain_offered)'
