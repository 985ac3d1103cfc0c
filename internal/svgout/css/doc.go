// Package css gives each element of an SVG its computed style: presentation
// attributes, style sheets and style attributes, cascaded and inherited as CSS 2 to 4
// say, for the properties that still pictures need.
//
//	root, _ := css.Parse(svg, limits)
//	_, notes := css.NewCascade(root)
//	fill := root.Style.Get(css.Fill)
//
// A value that a browser would drop as invalid is dropped, so that an earlier
// declaration holds. It computes no layout; animations and transitions are left out,
// and states such as :hover never hold.
package css
