// Deep recorder: what kube-scheduler itself decides about scenarios, node by node and plugin by plugin.
//
// It reads scenarios (JSON lines) from standard input and writes each with what it decided under "expected". It belongs
// within a checkout of Kubernetes, as only packages there may import the scheduler; README.md says which of its files
// go with which release.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/go-logr/logr"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
)

func main() {
	gates := flag.String("feature-gates", "", "feature gates, as kube-scheduler takes them: Name=true,...")
	replay := flag.Bool("replay", false, "assume the hosts that the scenario's own recording names, where they are among the best")
	flag.Parse()
	klog.SetLogger(logr.Discard())
	for _, each := range []string{listThenWatch(), *gates} {
		if err := utilfeature.DefaultMutableFeatureGate.Set(each); err != nil {
			fail("", err)
		}
	}
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 1 {
			record(line, out, *replay)
		}
		if err != nil {
			return
		}
	}
}

// listThenWatch has informers do just that, as the stand-in for an API server answers nothing newer.
func listThenWatch() string {
	const gate = "WatchListClient"
	if _, ok := utilfeature.DefaultMutableFeatureGate.GetAll()[gate]; ok {
		return gate + "=false"
	}
	return ""
}

func record(line []byte, out *json.Encoder, replay bool) {
	var scenario Scenario
	if err := json.Unmarshal(line, &scenario); err != nil {
		fail("", err)
	}
	hosts := map[string]string{}
	if replay && scenario.Expected != nil {
		for _, result := range scenario.Expected.Results {
			hosts[result.Pod] = result.Host
		}
	}
	expected, err := decide(&scenario, hosts)
	if err != nil {
		fail(scenario.ID, err)
	}
	scenario.Expected = expected
	if err := out.Encode(scenario); err != nil {
		fail(scenario.ID, err)
	}
}

func fail(id string, err error) {
	fmt.Fprintf(os.Stderr, "recorder: %s: %v\n", id, err)
	os.Exit(1)
}
