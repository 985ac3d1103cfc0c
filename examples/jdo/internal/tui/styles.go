package tui

import "charm.land/lipgloss/v2"

// styles are the looks of things, for a dark or a light ground.
type styles struct {
	plain, muted, strong, accent, selected, good, warn, bad, panel lipgloss.Style
}

func newStyles(dark bool) styles {
	pick := lipgloss.LightDark(dark)
	color := func(light, dark string) lipgloss.Style {
		return lipgloss.NewStyle().Foreground(pick(lipgloss.Color(light), lipgloss.Color(dark)))
	}
	border := pick(lipgloss.Color("#B0A8C8"), lipgloss.Color("#5A5470"))
	return styles{
		plain:    lipgloss.NewStyle(),
		muted:    color("#6B6680", "#8E89A3"),
		strong:   lipgloss.NewStyle().Bold(true),
		accent:   color("#5B3FD6", "#A594FF").Bold(true),
		selected: lipgloss.NewStyle().Bold(true).Foreground(pick(lipgloss.Color("#FFFFFF"), lipgloss.Color("#16131F"))).Background(pick(lipgloss.Color("#5B3FD6"), lipgloss.Color("#A594FF"))),
		good:     color("#1B7F4B", "#5FD39A"),
		warn:     color("#9A6200", "#F0B95B"),
		bad:      color("#B3261E", "#FF8A80"),
		panel:    lipgloss.NewStyle().Border(lipgloss.RoundedBorder()).BorderForeground(border).Padding(0, 1),
	}
}
