package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// standIn answers the lists of informers with a scenario's objects, and takes every write without effect: an attempt
// to schedule is recorded, nothing comes of it.
type standIn struct{ listByPath map[string][]json.RawMessage }

// newStandIn serves these objects, less the kinds that the recorder hands to the scheduler itself.
func newStandIn(objects []json.RawMessage) (*standIn, error) {
	byPath := map[string][]json.RawMessage{}
	for _, object := range objects {
		var head metav1.PartialObjectMetadata
		if err := json.Unmarshal(object, &head); err != nil {
			return nil, err
		}
		if head.Kind == "Node" || head.Kind == "Pod" {
			continue
		}
		plural, _ := meta.UnsafeGuessKindToResource(head.GroupVersionKind())
		versioned, err := withResourceVersion(object, head.ResourceVersion)
		if err != nil {
			return nil, err
		}
		path := pathOf(plural)
		byPath[path] = append(byPath[path], versioned)
	}
	return &standIn{byPath}, nil
}

func pathOf(plural schema.GroupVersionResource) string {
	if plural.Group == "" {
		return "/api/" + plural.Version + "/" + plural.Resource
	}
	return "/apis/" + plural.Group + "/" + plural.Version + "/" + plural.Resource
}

// withResourceVersion gives the object a version, as the scheduler's caches leave aside what has none.
func withResourceVersion(object json.RawMessage, version string) (json.RawMessage, error) {
	if version != "" {
		return object, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(object, &fields); err != nil {
		return nil, err
	}
	var metadata map[string]json.RawMessage
	if err := json.Unmarshal(fields["metadata"], &metadata); err != nil {
		return nil, err
	}
	metadata["resourceVersion"] = json.RawMessage(`"1"`)
	encoded, err := json.Marshal(metadata)
	if err != nil {
		return nil, err
	}
	fields["metadata"] = encoded
	return json.Marshal(fields)
}

// RoundTrip answers without any network.
func (s *standIn) RoundTrip(request *http.Request) (*http.Response, error) {
	switch {
	case request.Method != http.MethodGet:
		return echo(request)
	case request.URL.Query().Get("watch") != "":
		return silence(request), nil
	}
	items := s.listByPath[strings.TrimSuffix(request.URL.Path, "/")]
	if items == nil {
		items = []json.RawMessage{}
	}
	body, err := json.Marshal(map[string]any{"metadata": map[string]string{"resourceVersion": "1"}, "items": items})
	return reply(request, body), err
}

// silence is a watch on which nothing ever happens.
func silence(request *http.Request) *http.Response {
	reader, writer := io.Pipe()
	go func() {
		<-request.Context().Done()
		writer.Close()
	}()
	return &http.Response{StatusCode: http.StatusOK, Header: jsonHeader(), Body: reader, Request: request}
}

// echo takes a write: what was sent is what there is now.
func echo(request *http.Request) (*http.Response, error) {
	body := []byte("{}")
	if request.Body != nil && (request.Method == http.MethodPost || request.Method == http.MethodPut) {
		sent, err := io.ReadAll(request.Body)
		if err != nil {
			return nil, err
		}
		body = sent
	}
	if request.Method == http.MethodPost {
		named, err := named(body)
		return reply(request, named), err
	}
	return reply(request, body), nil
}

// named is the object with a name if it asks for one: where a class of devices backs an extended resource, the scheduler
// makes the claim itself, and goes on with it by its name.
func named(object []byte) ([]byte, error) {
	var fields map[string]any
	if err := json.Unmarshal(object, &fields); err != nil {
		return nil, err
	}
	metadata, _ := fields["metadata"].(map[string]any)
	prefix, _ := metadata["generateName"].(string)
	if name, _ := metadata["name"].(string); name != "" || prefix == "" {
		return object, nil
	}
	metadata["name"], metadata["uid"] = prefix+"made", prefix+"made"
	return json.Marshal(fields)
}

func reply(request *http.Request, body []byte) *http.Response {
	content := io.NopCloser(bytes.NewReader(body))
	return &http.Response{StatusCode: http.StatusOK, Header: jsonHeader(), Body: content, Request: request}
}

func jsonHeader() http.Header { return http.Header{"Content-Type": {"application/json"}} }
