//go:build kubernetes_1_35

package main

import fwk "k8s.io/kube-scheduler/framework"

type (
	CycleState       = fwk.CycleState
	FilterPlugin     = fwk.FilterPlugin
	NodeInfo         = fwk.NodeInfo
	NodePluginScores = fwk.NodePluginScores
	NodeScoreList    = fwk.NodeScoreList
	PostFilterPlugin = fwk.PostFilterPlugin
	PostFilterResult = fwk.PostFilterResult
	PreBindPlugin    = fwk.PreBindPlugin
	PreFilterPlugin  = fwk.PreFilterPlugin
	PreFilterResult  = fwk.PreFilterResult
	ScorePlugin      = fwk.ScorePlugin
	Status           = fwk.Status
)

const codeError = fwk.Error
