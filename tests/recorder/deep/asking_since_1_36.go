//go:build kubernetes_1_36

package main

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/profile"
)

func recorders() profile.RecorderFactory {
	return func(string) events.EventRecorderLogger { return &events.FakeRecorder{} }
}

// nominate has the pod wait in the queue, where alone the scheduler finds what is nominated to a node.
func nominate(s *session, pod *v1.Pod) { s.sched.SchedulingQueue.Add(s.ctx, pod) }

func schedulePod(s *session, w *watched, state CycleState, pod *v1.Pod) (scheduler.ScheduleResult, error) {
	info, err := framework.NewPodInfo(pod)
	if err != nil {
		return scheduler.ScheduleResult{}, err
	}
	return s.sched.SchedulePod(s.ctx, w, state, &framework.QueuedPodInfo{PodInfo: info})
}
