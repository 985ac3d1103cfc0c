package httpcompat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"

	"github.com/webodar/webodar/httpcompat"
	"github.com/webodar/webodar/internal/catalog"
)

func ExampleNew() {
	type greeting struct {
		Name string `json:"name" jsonschema:"whom to greet"`
	}
	cat, err := catalog.New(&catalog.Options{Tools: []catalog.Tool{{
		Name: "greet", Description: "Greets somebody", Input: catalog.InputSchema[greeting](),
		Handler: func(_ context.Context, args json.RawMessage) (*catalog.Result, error) {
			var in greeting
			err := json.Unmarshal(args, &in)
			return &catalog.Result{Structured: map[string]string{"text": "Hello, " + in.Name}}, err
		},
	}}})
	if err != nil {
		panic(err)
	}
	api := httpcompat.New(cat, nil)

	for _, call := range []struct{ path, body string }{
		{"/api/tools/greet", `{"name":"Ada"}`},
		{"/api/tools/great", `{"name":"Ada"}`},
	} {
		w := httptest.NewRecorder()
		api.ServeHTTP(w, httptest.NewRequest("POST", call.path, strings.NewReader(call.body)))
		fmt.Println(w.Code, w.Body)
	}
	// Output:
	// 200 {"success":true,"result":{"text":"Hello, Ada"}}
	// 404 {"success":false,"error":{"code":"TOOL_NOT_FOUND","message":"Tool 'great' not found","details":{"suggestions":["greet"]}}}
}
