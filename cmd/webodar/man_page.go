package main

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manPage is a command's page in roff, made of what --help shows. It keeps the
// line breaks of lists and examples, which the generator that comes with cobra
// does not, and needs no Markdown parser.
func manPage(c *cobra.Command, date time.Time) string {
	var b strings.Builder
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	fmt.Fprintf(&b, ".TH \"%s\" \"1\" \"%s\" \"%s\" \"webodar manual\"\n",
		roff(strings.ToUpper(name)), date.Format("2006\\-01\\-02"), roff("webodar "+buildVersion()))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(c.Short))
	operands := strings.TrimPrefix(c.UseLine(), c.CommandPath())
	if !c.Runnable() {
		operands = " COMMAND" + operands
	}
	fmt.Fprintf(&b, ".SH SYNOPSIS\n\\fB%s\\fR%s\n", roff(c.CommandPath()), roff(operands))
	description := c.Long
	if description == "" {
		description = c.Short
	}
	b.WriteString(".SH DESCRIPTION\n")
	manText(&b, description)
	if subs := documented(c); len(subs) > 0 {
		b.WriteString(".SH COMMANDS\n")
		for _, sub := range subs {
			fmt.Fprintf(&b, ".TP\n\\fB%s\\fR(1)\n%s\n", roff(name+"-"+sub.Name()), roff(sub.Short))
		}
	}
	manFlags(&b, "OPTIONS", c.NonInheritedFlags())
	manFlags(&b, "OPTIONS OF ALL COMMANDS", c.InheritedFlags())
	if c.Example != "" {
		b.WriteString(".SH EXAMPLES\n")
		manText(&b, c.Example)
	}
	if c.HasParent() {
		fmt.Fprintf(&b, ".SH SEE ALSO\n\\fB%s\\fR(1)\n", roff(strings.ReplaceAll(c.Parent().CommandPath(), " ", "-")))
	}
	return b.String()
}

// aligned finds text whose spaces and line breaks matter.
var aligned = regexp.MustCompile(`(?m)^ |\t|   `)

// manText writes paragraphs. One with indented or aligned lines is kept as it
// is, others are filled.
func manText(b *strings.Builder, text string) {
	for i, paragraph := range strings.Split(strings.TrimRight(text, "\n"), "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		body := roff(paragraph)
		if aligned.MatchString(paragraph) {
			body = ".nf\n" + body + "\n.fi"
		}
		b.WriteString(body + "\n")
	}
}

func manFlags(b *strings.Builder, heading string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", heading)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" { // every command has it, but only the one that runs has it already
			return
		}
		b.WriteString(".TP\n")
		if f.Shorthand != "" {
			fmt.Fprintf(b, "\\fB\\-%s\\fR, ", f.Shorthand)
		}
		value, usage := pflag.UnquoteUsage(f)
		fmt.Fprintf(b, "\\fB%s\\fR", roff("--"+f.Name))
		if value != "" {
			fmt.Fprintf(b, " \\fI%s\\fR", roff(value))
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" {
			usage += " (default " + f.DefValue + ")"
		}
		b.WriteString("\n" + roff(usage) + "\n")
	})
}

// roff escapes text: backslashes, hyphens, which would be typeset as such, and
// lines that would be requests.
func roff(text string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
