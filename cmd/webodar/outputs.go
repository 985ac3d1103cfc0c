package main

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/webodar/webodar/internal/artifact"
	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/svgout/face"
	"github.com/webodar/webodar/internal/tools"
)

// outputDirFlag lets tools write files.
func outputDirFlag(flags *pflag.FlagSet) {
	flags.String("output-dir", "", "let drawing tools write files below this `DIRECTORY` (argument output: file)")
}

// fontDirFlag adds fonts for characters that the embedded ones have not.
func fontDirFlag(flags *pflag.FlagSet) {
	flags.StringSlice("font-dir", nil, "paint characters that the embedded fonts have not with fonts from this `DIRECTORY` (PDF and PNG; repeatable)")
}

// fontDirs are the directories that the flags of cmd name.
func fontDirs(cmd *cobra.Command) []string {
	if cmd.Flags().Lookup("font-dir") == nil {
		return nil
	}
	dirs, err := cmd.Flags().GetStringSlice("font-dir")
	if err != nil {
		panic(err) // the flag is of another type: a mistake in this program
	}
	return dirs
}

// checkedFontDirs are fontDirs, which must be there. Workers get no such message across.
func checkedFontDirs(cmd *cobra.Command) ([]string, error) {
	dirs := fontDirs(cmd)
	for i, dir := range dirs {
		absolute, err := filepath.Abs(dir)
		if err == nil {
			_, err = face.Open(absolute)
		}
		if err != nil {
			return nil, usageError{fmt.Errorf("--font-dir: %w", err)}
		}
		dirs[i] = absolute
	}
	return dirs, nil
}

// keptFlags are those of a server that keeps pictures for a while.
func keptFlags(flags *pflag.FlagSet) *linkBase {
	base := &linkBase{}
	flags.Int("artifact-bytes", artifact.DefaultBytes, "most `BYTES` of pictures kept for output: resource")
	flags.Var(base, "public-url", "the `URL` that this server is reached under, for links to pictures (default: its address)")
	return base
}

// outputsOf are the places for pictures that the flags of cmd allow, and the resources
// among them.
func outputsOf(cmd *cobra.Command) (o tools.Outputs, families []catalog.Family, err error) {
	flags := cmd.Flags()
	if f := flags.Lookup("output-dir"); f != nil && f.Value.String() != "" {
		if o.Dir, err = artifact.OpenDir(f.Value.String()); err != nil {
			return o, nil, usageError{fmt.Errorf("--output-dir %s: %w", f.Value, reasonOf(err))}
		}
	}
	if flags.Lookup("artifact-bytes") == nil {
		return o, nil, nil
	}
	limit, err := flags.GetInt("artifact-bytes")
	if err != nil || limit < 1 {
		return o, nil, usageError{errors.Join(err, errors.New("--artifact-bytes must be above zero"))}
	}
	o.Store = artifact.NewStore(&artifact.Options{Bytes: limit})
	base, ok := flags.Lookup("public-url").Value.(*linkBase)
	if ok && (base.String() != "" || flags.Changed("http") || flags.Changed("compat")) {
		o.LinkBase = base.String
	}
	return o, []catalog.Family{tools.Artifacts(o.Store)}, nil
}

// linkBase is what links to this server begin with: the value of --public-url, or what
// the listener learns.
type linkBase struct{ text atomic.Pointer[string] }

var _ pflag.Value = (*linkBase)(nil)

// Set implements [pflag.Value].
func (b *linkBase) Set(s string) error {
	s = strings.TrimSuffix(s, "/")
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return errors.New("want a URL such as https://diagrams.example.org")
	}
	b.text.Store(&s)
	return nil
}

// String returns the URL, empty while it is not known: links are then relative.
func (b *linkBase) String() string {
	if s := b.text.Load(); s != nil {
		return *s
	}
	return ""
}

// Type implements [pflag.Value].
func (b *linkBase) Type() string { return "string" }

// learn takes the address of a listener, unless there is a URL, or nobody could use it.
func (b *linkBase) learn(addr net.Addr) {
	if tcp, ok := addr.(*net.TCPAddr); ok && !tcp.IP.IsUnspecified() {
		s := "http://" + addr.String()
		b.text.CompareAndSwap(nil, &s)
	}
}
