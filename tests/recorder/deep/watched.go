package main

import (
	"context"
	"slices"
	"sync"

	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	extenderv1 "k8s.io/kube-scheduler/extender/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// watched is a profile that notes what it is asked in an attempt, and what it answers.
type watched struct {
	framework.Framework
	preFilters []PreFilterPlugin
	filters    []FilterPlugin
	scorers    []ScorePlugin
	preBinders []PreBindPlugin
	weights    map[string]int
	preemption *watchedPreemption

	verdicts []verdict
	scored   *scored
}

// verdict is what all filters together said of a node, pods nominated to it included.
type verdict struct {
	node   string
	status *Status
}

// scored is what was scored, in the order asked.
type scored struct {
	nodes  []NodeInfo
	scores []NodePluginScores
}

func watch(profile framework.Framework) *watched {
	w := &watched{
		Framework:  profile,
		preFilters: inside(profile, "preFilterPlugins").Interface().([]PreFilterPlugin),
		filters:    inside(profile, "filterPlugins").Interface().([]FilterPlugin),
		scorers:    inside(profile, "scorePlugins").Interface().([]ScorePlugin),
		preBinders: inside(profile, "preBindPlugins").Interface().([]PreBindPlugin),
		weights:    inside(profile, "scorePluginWeight").Interface().(map[string]int),
	}
	for _, plugin := range inside(profile, "postFilterPlugins").Interface().([]PostFilterPlugin) {
		if preempting, ok := plugin.(*defaultpreemption.DefaultPreemption); ok {
			w.preemption = &watchedPreemption{Interface: preempting.Evaluator.Interface, evaluator: preempting.Evaluator}
			preempting.Evaluator.Interface = w.preemption
		}
	}
	return w
}

func (w *watched) reset() {
	w.verdicts, w.scored = nil, nil
	if w.preemption != nil {
		w.preemption.tried, w.preemption.rejected = nil, map[string]*Status{}
	}
}

// RunFilterPluginsWithNominatedPods is what the search asks of each node on its way.
func (w *watched) RunFilterPluginsWithNominatedPods(ctx context.Context, state CycleState, pod *v1.Pod, info NodeInfo) *Status {
	status := w.Framework.RunFilterPluginsWithNominatedPods(ctx, state, pod, info)
	w.verdicts = append(w.verdicts, verdict{info.Node().Name, status})
	return status
}

// RunScorePlugins is asked once, of all feasible nodes, where there is more than one.
func (w *watched) RunScorePlugins(ctx context.Context, state CycleState, pod *v1.Pod, nodes []NodeInfo) ([]NodePluginScores, *Status) {
	scores, status := w.Framework.RunScorePlugins(ctx, state, pod, nodes)
	if status.IsSuccess() {
		// The scheduler makes a heap of the scores.
		w.scored = &scored{nodes, slices.Clone(scores)}
	}
	return scores, status
}

// watchedPreemption tries every node that it might, from the first on, and notes what comes of each.
type watchedPreemption struct {
	preemption.Interface
	evaluator *preemption.Evaluator

	lock     sync.Mutex
	tried    []*tried
	rejected map[string]*Status
}

// GetOffsetAndNumCandidates leaves nothing to chance: all of them.
func (p *watchedPreemption) GetOffsetAndNumCandidates(nodes int32) (int32, int32) { return 0, nodes }

// SelectVictimsOnNode tries one node.
func (p *watchedPreemption) SelectVictimsOnNode(
	ctx context.Context, state CycleState, pod *v1.Pod, info NodeInfo, budgets []*policy.PodDisruptionBudget,
) ([]*v1.Pod, int, *Status) {
	victims, violations, status := p.Interface.SelectVictimsOnNode(ctx, state, pod, info, budgets)
	p.lock.Lock()
	defer p.lock.Unlock()
	if status.IsSuccess() && len(victims) != 0 {
		p.tried = append(p.tried, &tried{info.Node().Name, victims, int64(violations)})
	} else if !status.IsSuccess() {
		p.rejected[info.Node().Name] = status
	}
	return victims, violations, status
}

// tried is a node where preemption helps, as upstream's ladder of criteria takes it.
type tried struct {
	node       string
	victims    []*v1.Pod
	violations int64
}

func (t *tried) Name() string { return t.node }

func (t *tried) Victims() *extenderv1.Victims {
	return &extenderv1.Victims{Pods: t.victims, NumPDBViolations: t.violations}
}

// best are the candidates that the ladder cannot tell apart. Between two of them it picks by chance, so that each
// comes out of enough draws against the other.
func (p *watchedPreemption) best(ctx context.Context) []string {
	if len(p.tried) == 0 {
		return nil
	}
	all := make([]preemption.Candidate, len(p.tried))
	for i, each := range p.tried {
		all[i] = each
	}
	winner := p.evaluator.SelectCandidate(ctx, all).Name()
	var best []string
	for _, each := range p.tried {
		if each.node == winner || p.draws(ctx, each, winner) {
			best = append(best, each.node)
		}
	}
	return best
}

const drawsToBeSure = 64

func (p *watchedPreemption) draws(ctx context.Context, candidate *tried, winner string) bool {
	var against *tried
	for _, each := range p.tried {
		if each.node == winner {
			against = each
		}
	}
	for range drawsToBeSure {
		if p.evaluator.SelectCandidate(ctx, []preemption.Candidate{candidate, against}).Name() == candidate.node {
			return true
		}
	}
	return false
}
