package catalog

import (
	"context"
	"slices"
	"strings"
)

// Family is a family of built-in resources that come and go, such as what tools have
// made. They are not listed; whoever knows a URI may read it.
type Family struct {
	Prefix string // what every URI of the family begins with
	// URITemplate is the family's in the form of RFC 6570, of level 1.
	URITemplate              string
	Name, Title, Description string
	// Read returns what is at uri, or an error of type [ResourceNotFound].
	Read func(ctx context.Context, uri string) (*Contents, error)
}

// Contents are what a resource holds.
type Contents struct {
	MIMEType string
	Data     []byte // the caller must not change it
	Text     bool   // whether Data is UTF-8
}

// Families returns the families of built-in resources.
func (c *Catalog) Families() []Family { return slices.Clone(c.families) }

// ReadFamily reads a resource of a built-in family. The error is of type
// [ResourceNotFound] where no family has it.
func (c *Catalog) ReadFamily(ctx context.Context, uri string) (*Contents, error) {
	if f := c.family(uri); f != nil {
		return f.Read(ctx, uri)
	}
	return nil, NoResource(uri)
}

// NoResource is the error for a resource that is not there, or not any more.
func NoResource(uri string) *Error {
	return unknown(ResourceNotFound, "RESOURCE_NOT_FOUND", "resource", "uri", uri, nil)
}

func (c *Catalog) family(uri string) *Family {
	for i := range c.families {
		if strings.HasPrefix(uri, c.families[i].Prefix) {
			return &c.families[i]
		}
	}
	return nil
}

// Picture is a result as the bytes that it is made of, for doors that can show or send
// them as they are.
type Picture struct {
	MIMEType string
	Data     []byte
}

// Link is a resource of this server that a result points at.
type Link struct {
	URI, Name, MIMEType string
	Bytes               int
}
