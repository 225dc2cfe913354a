# The formula for Homebrew; a release fills in what stands in braces.
class Kexplain < Formula
  desc "Explain why a Kubernetes pod does not schedule"
  homepage "https://github.com/OWNER/kexplain"
  version "{{ version }}"
  license "Apache-2.0"

  depends_on "python@3.13"

  on_linux do
    on_intel do
      url "https://github.com/OWNER/kexplain/releases/download/v{{ version }}/kubectl-kexplain-linux-amd64.tar.gz"
      sha256 "{{ sha256 kubectl-kexplain-linux-amd64.tar.gz }}"
    end
    on_arm do
      url "https://github.com/OWNER/kexplain/releases/download/v{{ version }}/kubectl-kexplain-linux-arm64.tar.gz"
      sha256 "{{ sha256 kubectl-kexplain-linux-arm64.tar.gz }}"
    end
  end

  on_macos do
    on_intel do
      url "https://github.com/OWNER/kexplain/releases/download/v{{ version }}/kubectl-kexplain-darwin-amd64.tar.gz"
      sha256 "{{ sha256 kubectl-kexplain-darwin-amd64.tar.gz }}"
    end
    on_arm do
      url "https://github.com/OWNER/kexplain/releases/download/v{{ version }}/kubectl-kexplain-darwin-arm64.tar.gz"
      sha256 "{{ sha256 kubectl-kexplain-darwin-arm64.tar.gz }}"
    end
  end

  def install
    bin.install "kubectl-kexplain"
    bin.install_symlink "kubectl-kexplain" => "kexplain"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/kexplain version")
  end
end
