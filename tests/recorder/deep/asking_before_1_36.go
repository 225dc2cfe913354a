//go:build !kubernetes_1_36

package main

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/profile"
)

func recorders() profile.RecorderFactory {
	return func(string) events.EventRecorder { return &events.FakeRecorder{} }
}

// nominate has the pod wait in the queue, where alone the scheduler finds what is nominated to a node.
func nominate(s *session, pod *v1.Pod) { s.sched.SchedulingQueue.Add(klog.FromContext(s.ctx), pod) }

func schedulePod(s *session, w *watched, state CycleState, pod *v1.Pod) (scheduler.ScheduleResult, error) {
	return s.sched.SchedulePod(s.ctx, w, state, pod)
}
