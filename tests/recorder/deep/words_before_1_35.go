//go:build kubernetes_1_34 && !kubernetes_1_35

package main

import (
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

type (
	CycleState       = fwk.CycleState
	FilterPlugin     = framework.FilterPlugin
	NodeInfo         = fwk.NodeInfo
	NodePluginScores = framework.NodePluginScores
	NodeScoreList    = framework.NodeScoreList
	PostFilterPlugin = framework.PostFilterPlugin
	PostFilterResult = framework.PostFilterResult
	PreBindPlugin    = framework.PreBindPlugin
	PreFilterPlugin  = framework.PreFilterPlugin
	PreFilterResult  = framework.PreFilterResult
	ScorePlugin      = framework.ScorePlugin
	Status           = fwk.Status
)

const codeError = fwk.Error
