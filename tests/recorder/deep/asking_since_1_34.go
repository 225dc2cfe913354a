//go:build kubernetes_1_34

package main

import (
	"context"
	_ "unsafe" // for go:linkname

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

func newScheduler(
	ctx context.Context, client kubernetes.Interface, factory informers.SharedInformerFactory, options []scheduler.Option,
) (*scheduler.Scheduler, error) {
	return scheduler.New(ctx, client, factory, nil, recorders(), options...)
}

func preFilter(ctx context.Context, plugin PreFilterPlugin, state CycleState, pod *v1.Pod, infos []NodeInfo) (*PreFilterResult, *Status) {
	return plugin.PreFilter(ctx, state, pod, infos)
}

func isSkip(status *Status) bool { return status.IsSkip() }

func skipsScore(state CycleState, plugin string) bool { return state.GetSkipScorePlugins().Has(plugin) }

func pluginOf(status *Status) string { return status.Plugin() }

func runPostFilters(ctx context.Context, w *watched, state CycleState, pod *v1.Pod, fit *framework.FitError) (*PostFilterResult, *Status) {
	return w.RunPostFilterPlugins(ctx, state, pod, fit.Diagnosis.NodeToStatus)
}

func statuses(fit *framework.FitError) map[string]Answer {
	answers := map[string]Answer{}
	fit.Diagnosis.NodeToStatus.ForEachExplicitNode(func(node string, status *Status) {
		answers[node] = answerOf(status, pluginOf(status))
	})
	return answers
}

//go:linkname numFeasibleNodesToFind k8s.io/kubernetes/pkg/scheduler.(*Scheduler).numFeasibleNodesToFind
func numFeasibleNodesToFind(sched *scheduler.Scheduler, percentage *int32, nodes int32) int32

// toFind is how many feasible nodes are enough; one, where nothing tells them apart.
func toFind(sched *scheduler.Scheduler, w *watched, nodes int) int32 {
	if !w.HasScorePlugins() {
		return 1
	}
	return numFeasibleNodesToFind(sched, w.PercentageOfNodesToScore(), int32(nodes))
}
