package main

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/go-logr/logr"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	configscheme "k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	internalcache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
)

// session is a scheduler that knows a scenario's cluster; nothing moves in it but by what is asked of it here.
type session struct {
	ctx      context.Context
	sched    *scheduler.Scheduler
	snapshot *internalcache.Snapshot
	next     *int
	podByKey map[string]*v1.Pod
	watched  map[string]*watched
}

func newSession(ctx context.Context, scenario *Scenario) (*session, error) {
	ctx = klog.NewContext(ctx, logr.Discard())
	server, err := newStandIn(scenario.Objects)
	if err != nil {
		return nil, err
	}
	client, err := kubernetes.NewForConfig(&rest.Config{
		Host: "http://stand-in", Transport: server, QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: "application/json"},
	})
	if err != nil {
		return nil, err
	}
	factory := scheduler.NewInformerFactory(client, 0)
	options, err := optionsOf(scenario.Config)
	if err != nil {
		return nil, err
	}
	sched, err := newScheduler(ctx, client, factory, options)
	if err != nil {
		return nil, err
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	if err := sched.WaitForHandlersSync(ctx); err != nil {
		return nil, err
	}
	s := &session{ctx: ctx, sched: sched, podByKey: map[string]*v1.Pod{}, watched: map[string]*watched{}}
	s.snapshot = inside(sched, "nodeInfoSnapshot").Interface().(*internalcache.Snapshot)
	s.next = inside(sched, "nextStartNodeIndex").Addr().Interface().(*int)
	*s.next = scenario.StartNodeIndex
	for name, framework := range sched.Profiles {
		s.watched[name] = watch(framework)
	}
	return s, s.add(scenario.Objects, factory)
}

// optionsOf reads a KubeSchedulerConfiguration as kube-scheduler does.
func optionsOf(raw json.RawMessage) ([]scheduler.Option, error) {
	options := []scheduler.Option{scheduler.WithParallelism(1)}
	if raw == nil {
		return options, nil
	}
	decoded, _, err := configscheme.Codecs.UniversalDecoder().Decode(raw, nil, nil)
	if err != nil {
		return nil, err
	}
	cfg, ok := decoded.(*config.KubeSchedulerConfiguration)
	if !ok {
		return nil, fmt.Errorf("config is a %T", decoded)
	}
	return append(options,
		scheduler.WithComponentConfigVersion(cfg.TypeMeta.APIVersion),
		scheduler.WithProfiles(cfg.Profiles...),
		scheduler.WithPercentageOfNodesToScore(cfg.PercentageOfNodesToScore),
	), nil
}

// add hands nodes and pods to the scheduler in their order, which informers would not keep.
func (s *session) add(objects []json.RawMessage, factory informers.SharedInformerFactory) error {
	decoder := clientscheme.Codecs.UniversalDeserializer()
	for _, raw := range objects {
		var head struct {
			Kind string `json:"kind"`
		}
		if err := json.Unmarshal(raw, &head); err != nil {
			return err
		}
		if head.Kind != "Node" && head.Kind != "Pod" {
			continue
		}
		object, _, err := decoder.Decode(raw, nil, nil)
		if err != nil {
			return err
		}
		switch each := object.(type) {
		case *v1.Node:
			err = factory.Core().V1().Nodes().Informer().GetIndexer().Add(each)
			s.sched.Cache.AddNode(klog.FromContext(s.ctx), each)
		case *v1.Pod:
			err = s.addPod(each, factory)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *session) addPod(pod *v1.Pod, factory informers.SharedInformerFactory) error {
	if pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed {
		// The scheduler's informer of pods leaves these out.
		return nil
	}
	key := pod.Namespace + "/" + pod.Name
	if pod.UID == "" {
		// The scheduler tells pods apart by it.
		pod.UID = types.UID(key)
	}
	s.podByKey[key] = pod
	if err := factory.Core().V1().Pods().Informer().GetIndexer().Add(pod); err != nil {
		return err
	}
	if pod.Spec.NodeName != "" {
		return s.sched.Cache.AddPod(klog.FromContext(s.ctx), pod)
	}
	if pod.Status.NominatedNodeName != "" {
		nominate(s, pod)
	}
	return nil
}

// inside is a field of a struct behind a pointer, exported or not.
func inside(object any, name string) reflect.Value {
	value := reflect.ValueOf(object)
	for value.Kind() == reflect.Interface || value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	field := value.FieldByName(name)
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}
