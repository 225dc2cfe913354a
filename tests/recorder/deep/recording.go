package main

import "encoding/json"

// Scenario is a cluster and the pods to place in it one after the other, and what became of them.
type Scenario struct {
	Area           string            `json:"area"`
	Config         json.RawMessage   `json:"config,omitempty"`
	Expected       *Expected         `json:"expected,omitempty"`
	ID             string            `json:"id"`
	Objects        []json.RawMessage `json:"objects"`
	Pods           []string          `json:"pods"`
	StartNodeIndex int               `json:"startNodeIndex,omitempty"`
}

// Expected is the scheduler as it was built, and a result for each pod.
type Expected struct {
	FilterPlugins []string       `json:"filterPlugins"`
	NodeOrder     []string       `json:"nodeOrder"`
	Results       []*Result      `json:"results"`
	ScorePlugins  []string       `json:"scorePlugins"`
	Weights       map[string]int `json:"weights"`
}

// Result is one decision.
type Result struct {
	Best                   []string                     `json:"best,omitempty"`
	EvaluatedNodes         int                          `json:"evaluatedNodes"`
	FeasibleNodes          []string                     `json:"feasibleNodes,omitempty"`
	Host                   string                       `json:"host,omitempty"`
	Matrix                 map[string]map[string]Answer `json:"matrix,omitempty"`
	Message                string                       `json:"message,omitempty"`
	NextStartNodeIndex     int                          `json:"nextStartNodeIndex"`
	NodeStatus             map[string]Answer            `json:"nodeStatus,omitempty"`
	NumFeasibleNodesToFind int32                        `json:"numFeasibleNodesToFind"`
	Outcome                string                       `json:"outcome"`
	Pod                    string                       `json:"pod"`
	PreFilter              map[string]Answer            `json:"preFilter,omitempty"`
	Preemption             *Preemption                  `json:"preemption,omitempty"`
	Scores                 []Score                      `json:"scores,omitempty"`
	StartNodeIndex         int                          `json:"startNodeIndex"`
}

// Answer is a Status; the plugin is left out where it goes without saying.
type Answer struct {
	Code    string   `json:"code"`
	Plugin  string   `json:"plugin,omitempty"`
	Reasons []string `json:"reasons,omitempty"`
}

// Score is what a node got: raw, normalized and weighted by plugin.
type Score struct {
	Node    string              `json:"node"`
	Plugins map[string][3]int64 `json:"plugins"`
	Total   int64               `json:"total"`
}

// Preemption is what PostFilter returned, and every candidate that it weighed.
type Preemption struct {
	Best       []string          `json:"best"`
	Candidates []Victims         `json:"candidates"`
	NodeStatus map[string]Answer `json:"nodeStatus,omitempty"`
	Status     Answer            `json:"status"`
}

// Victims are the pods that would have to go from a node.
type Victims struct {
	Node          string   `json:"node"`
	PDBViolations int64    `json:"pdbViolations"`
	Pods          []string `json:"pods"`
}

func answerOf(status *Status, plugin string) Answer {
	reasons := append([]string(nil), status.Reasons()...)
	if len(reasons) == 0 && status.Code() == codeError {
		reasons = []string{status.Message()}
	}
	return Answer{Code: status.Code().String(), Plugin: plugin, Reasons: reasons}
}
