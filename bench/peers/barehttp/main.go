// Command barehttp is the least that a REST call can cost in Go: net/http,
// JSON in, the encoder, JSON out, and nothing around it.
package main

import (
	"encoding/json"
	"net/http"

	"github.com/webodar/webodar/bench/peers/link"
)

func main() {
	link.Serve(nil, func(addr string) error {
		http.HandleFunc("POST /api/tools/"+link.Name, encode)
		return http.ListenAndServe(addr, nil)
	})
}

func encode(w http.ResponseWriter, r *http.Request) {
	var in link.Input
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	out, err := link.Make(in)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(out); err != nil {
		return // the client is gone
	}
}
