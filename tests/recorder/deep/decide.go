package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// What an event's text is cut to.
const longestText = 1024

// decide tries the scenario's pods one after the other. Of the best nodes it assumes the one that hosts names, else the
// first in the order found.
func decide(scenario *Scenario, hosts map[string]string) (*Expected, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s, err := newSession(ctx, scenario)
	if err != nil {
		return nil, err
	}
	if err := s.sched.Cache.UpdateSnapshot(klog.FromContext(s.ctx), s.snapshot); err != nil {
		return nil, err
	}
	expected, err := s.described(scenario.Pods)
	if err != nil {
		return nil, err
	}
	for _, key := range scenario.Pods {
		result, err := s.try(key, scenario.Area == "sampling", hosts[key])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		expected.Results = append(expected.Results, result)
	}
	return expected, nil
}

// described is the profile of the first of these pods that has one, else any, and the order of the nodes.
func (s *session) described(pods []string) (*Expected, error) {
	names := slices.Sorted(maps.Keys(s.watched))
	if len(names) > 1 {
		names = slices.Insert(names, 0, "default-scheduler")
	}
	var w *watched
	for _, key := range pods {
		if found, ok := s.watched[s.podByKey[key].Spec.SchedulerName]; ok {
			w = found
			break
		}
	}
	for _, name := range names {
		if found, ok := s.watched[name]; ok && w == nil {
			w = found
		}
	}
	infos, err := s.snapshot.NodeInfos().List()
	if err != nil {
		return nil, err
	}
	expected := &Expected{NodeOrder: []string{}, FilterPlugins: []string{}, ScorePlugins: []string{}, Weights: map[string]int{}}
	for _, info := range infos {
		expected.NodeOrder = append(expected.NodeOrder, info.Node().Name)
	}
	for _, plugin := range w.filters {
		expected.FilterPlugins = append(expected.FilterPlugins, plugin.Name())
	}
	for _, plugin := range w.scorers {
		expected.ScorePlugins = append(expected.ScorePlugins, plugin.Name())
		expected.Weights[plugin.Name()] = w.weights[plugin.Name()]
	}
	return expected, nil
}

// try makes one attempt, and assumes what came of it.
func (s *session) try(key string, isBrief bool, host string) (*Result, error) {
	pod := s.podByKey[key]
	if pod == nil {
		return nil, errors.New("no such pod")
	}
	result := &Result{Pod: key, StartNodeIndex: *s.next, NextStartNodeIndex: *s.next}
	w, ok := s.watched[pod.Spec.SchedulerName]
	if !ok {
		result.Outcome = "NoProfile"
		return result, nil
	}
	for _, plugin := range w.PreEnqueuePlugins() {
		if status := plugin.PreEnqueue(s.ctx, pod); !status.IsSuccess() {
			result.Outcome, result.Message = "Gated", status.Message()
			return result, nil
		}
	}
	if err := s.sched.Cache.UpdateSnapshot(klog.FromContext(s.ctx), s.snapshot); err != nil {
		return nil, err
	}
	infos, err := s.snapshot.NodeInfos().List()
	if err != nil {
		return nil, err
	}
	result.NumFeasibleNodesToFind = toFind(s.sched, w, len(infos))
	if !isBrief {
		s.askEveryone(w, pod, infos, result)
	}
	return result, s.attempt(w, pod, result, host)
}

// askEveryone asks every plugin about every node, on a state of its own that the attempt does not see.
func (s *session) askEveryone(w *watched, pod *v1.Pod, infos []NodeInfo, result *Result) {
	state := framework.NewCycleState()
	asked := map[string]bool{}
	named := map[string]map[string]bool{}
	result.PreFilter = map[string]Answer{}
	for _, plugin := range w.filters {
		asked[plugin.Name()] = true
	}
	for _, plugin := range w.preFilters {
		found, status := preFilter(s.ctx, plugin, state, pod, infos)
		switch {
		case isSkip(status):
			result.PreFilter[plugin.Name()] = Answer{Code: status.Code().String()}
			asked[plugin.Name()] = false
		case !status.IsSuccess():
			result.PreFilter[plugin.Name()] = answerOf(status, "")
			asked[plugin.Name()] = false
		case found != nil && found.NodeNames != nil:
			names := found.NodeNames.UnsortedList()
			slices.Sort(names)
			result.PreFilter[plugin.Name()] = Answer{Code: status.Code().String(), Reasons: names}
			named[plugin.Name()] = map[string]bool{}
			for _, name := range names {
				named[plugin.Name()][name] = true
			}
		}
	}
	result.Matrix = map[string]map[string]Answer{}
	for _, info := range infos {
		node := info.Node().Name
		for _, plugin := range w.filters {
			name := plugin.Name()
			if names, ok := named[name]; !asked[name] || (ok && !names[node]) {
				continue
			}
			if status := plugin.Filter(s.ctx, state, pod, info); !status.IsSuccess() {
				if result.Matrix[node] == nil {
					result.Matrix[node] = map[string]Answer{}
				}
				result.Matrix[node][name] = answerOf(status, "")
			}
		}
	}
}

// attempt runs the scheduling cycle itself.
func (s *session) attempt(w *watched, pod *v1.Pod, result *Result, host string) error {
	w.reset()
	state := framework.NewCycleState()
	found, err := schedulePod(s, w, state, pod)
	result.NextStartNodeIndex = *s.next
	var fit *framework.FitError
	switch {
	case err == nil:
		return s.scheduled(w, state, pod, result, found, host)
	case errors.As(err, &fit):
		s.unschedulable(w, state, pod, result, fit)
	case errors.Is(err, scheduler.ErrNoNodesAvailable):
		result.Outcome, result.Message = "Unschedulable", cut(err.Error())
	default:
		result.Outcome, result.Message = "Error", cut(err.Error())
	}
	return nil
}

func (s *session) scheduled(w *watched, state CycleState, pod *v1.Pod, result *Result, found scheduler.ScheduleResult, host string) error {
	result.EvaluatedNodes = found.EvaluatedNodes
	result.NodeStatus = map[string]Answer{}
	for _, each := range w.verdicts {
		if !each.status.IsSuccess() {
			result.NodeStatus[each.node] = answerOf(each.status, pluginOf(each.status))
		} else if len(result.FeasibleNodes) < found.FeasibleNodes {
			result.FeasibleNodes = append(result.FeasibleNodes, each.node)
		}
	}
	result.Best = []string{found.SuggestedHost}
	if w.scored != nil {
		scores, err := s.scores(w, state, pod)
		if err != nil {
			return err
		}
		result.Scores, result.Best = scores, best(scores)
	}
	if !slices.Contains(result.Best, found.SuggestedHost) {
		return fmt.Errorf("%s was suggested, and the best are %v", found.SuggestedHost, result.Best)
	}
	result.Outcome, result.Host = "Scheduled", result.Best[0]
	if slices.Contains(result.Best, host) {
		result.Host = host
	}
	return s.assume(w, state, pod, result)
}

// assume puts the pod where it is to run from now on; what its plugins reserve stays reserved.
func (s *session) assume(w *watched, state CycleState, pod *v1.Pod, result *Result) error {
	assumed := pod.DeepCopy()
	assumed.Spec.NodeName = result.Host
	logger := klog.FromContext(s.ctx)
	if err := s.sched.Cache.AssumePod(logger, assumed); err != nil {
		return err
	}
	s.sched.SchedulingQueue.DeleteNominatedPodIfExists(assumed)
	if status := w.RunReservePluginsReserve(s.ctx, state, assumed, result.Host); !status.IsSuccess() {
		w.RunReservePluginsUnreserve(s.ctx, state, assumed, result.Host)
		*result = Result{
			Pod: result.Pod, Outcome: "Error", Message: cut(status.AsError().Error()), Matrix: result.Matrix,
			PreFilter: result.PreFilter, StartNodeIndex: result.StartNodeIndex,
			NextStartNodeIndex: result.NextStartNodeIndex, NumFeasibleNodesToFind: result.NumFeasibleNodesToFind,
		}
		return s.sched.Cache.ForgetPod(logger, assumed)
	}
	return s.bindClaims(w, state, assumed, result.Host)
}

// bindClaims writes down which devices the pod was given, so that the next pod does not meet claims that are just being
// allocated. Volumes stay assumed: binding them is a matter of other components.
func (s *session) bindClaims(w *watched, state CycleState, assumed *v1.Pod, host string) error {
	for _, plugin := range w.preBinders {
		if plugin.Name() == "DynamicResources" {
			if status := plugin.PreBind(s.ctx, state, assumed, host); !status.IsSuccess() {
				return status.AsError()
			}
		}
	}
	return nil
}

// scores asks each plugin anew for what came before the weights, and holds the sums to the real ones.
func (s *session) scores(w *watched, state CycleState, pod *v1.Pod) ([]Score, error) {
	scores := make([]Score, len(w.scored.nodes))
	for i, each := range w.scored.scores {
		scores[i] = Score{Node: each.Name, Plugins: map[string][3]int64{}, Total: each.TotalScore}
	}
	sums := make([]int64, len(scores))
	for _, plugin := range w.scorers {
		name, weight := plugin.Name(), int64(w.weights[plugin.Name()])
		if skipsScore(state, name) {
			continue
		}
		raw, normalized, err := rawAndNormalized(s.ctx, plugin, state, pod, w.scored.nodes)
		if err != nil {
			return nil, err
		}
		for i := range scores {
			weighted := normalized[i] * weight
			scores[i].Plugins[name] = [3]int64{raw[i], normalized[i], weighted}
			sums[i] += weighted
		}
	}
	for i, each := range scores {
		if sums[i] != each.Total {
			return nil, fmt.Errorf("%s: plugins add up to %v, the scheduler says %v", each.Node, each.Plugins, w.scored.scores[i])
		}
	}
	return scores, nil
}

func rawAndNormalized(ctx context.Context, plugin ScorePlugin, state CycleState, pod *v1.Pod, infos []NodeInfo) ([]int64, []int64, error) {
	list := make(NodeScoreList, len(infos))
	raw, normalized := make([]int64, len(infos)), make([]int64, len(infos))
	for i, info := range infos {
		score, status := plugin.Score(ctx, state, pod, info)
		if !status.IsSuccess() {
			return nil, nil, status.AsError()
		}
		list[i].Name, list[i].Score, raw[i] = info.Node().Name, score, score
	}
	if extensions := plugin.ScoreExtensions(); extensions != nil {
		if status := extensions.NormalizeScore(ctx, state, pod, list); !status.IsSuccess() {
			return nil, nil, status.AsError()
		}
	}
	for i := range list {
		normalized[i] = list[i].Score
	}
	return raw, normalized, nil
}

func best(scores []Score) []string {
	var names []string
	highest := slices.MaxFunc(scores, func(a, b Score) int { return int(a.Total - b.Total) }).Total
	for _, each := range scores {
		if each.Total == highest {
			names = append(names, each.Node)
		}
	}
	return names
}

func (s *session) unschedulable(w *watched, state CycleState, pod *v1.Pod, result *Result, fit *framework.FitError) {
	result.Outcome = "Unschedulable"
	result.NodeStatus = statuses(fit)
	result.EvaluatedNodes = len(result.NodeStatus)
	if w.HasPostFilterPlugins() {
		_, status := runPostFilters(s.ctx, w, state, pod, fit)
		fit.Diagnosis.PostFilterMsg = status.Message()
		result.Preemption = s.preemption(w, status)
	}
	result.Message = cut(fit.Error())
}

func (s *session) preemption(w *watched, status *Status) *Preemption {
	preemption := &Preemption{Best: []string{}, Candidates: []Victims{}, NodeStatus: map[string]Answer{}}
	preemption.Status = answerOf(status, pluginOf(status))
	if w.preemption == nil {
		return preemption
	}
	for _, each := range w.preemption.tried {
		victims := Victims{Node: each.node, PDBViolations: each.violations, Pods: []string{}}
		for _, pod := range each.victims {
			victims.Pods = append(victims.Pods, pod.Namespace+"/"+pod.Name)
		}
		preemption.Candidates = append(preemption.Candidates, victims)
	}
	preemption.Best = append(preemption.Best, w.preemption.best(s.ctx)...)
	for node, rejection := range w.preemption.rejected {
		preemption.NodeStatus[node] = answerOf(rejection, pluginOf(rejection))
	}
	return preemption
}

func cut(text string) string {
	const end = " ..."
	if len(text) <= longestText {
		return text
	}
	return text[:longestText-len(end)] + end
}
