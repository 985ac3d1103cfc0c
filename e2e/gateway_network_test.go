package e2e

import (
	"context"
	"strings"
	"testing"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// network is a way to a server that can be cut.
type network struct{ *toxiproxy.Proxy }

func newNetwork(t *testing.T, to string) *network {
	t.Helper()
	p := toxiproxy.NewProxy(toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop()), "way", "127.0.0.1:0", to)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	return &network{p}
}

// cut lets nothing through, in either direction, and closes nothing.
func (n *network) cut(t *testing.T) {
	t.Helper()
	for _, stream := range []string{"upstream", "downstream"} {
		toxic := `{"name":"` + stream + `","type":"timeout","stream":"` + stream + `","attributes":{"timeout":0}}`
		if _, err := n.Toxics.AddToxicJson(strings.NewReader(toxic)); err != nil {
			t.Fatal(err)
		}
	}
}

func (n *network) mend(t *testing.T) {
	t.Helper()
	n.Toxics.ResetToxics(context.Background())
}
