package mermaid

import (
	"slices"
	"strings"
)

// maxExpected is how many kinds of things a message says were expected.
const maxExpected = 6

// words say what the grammars' tokens are; several tokens are one thing to a reader.
// Tokens that may stand almost anywhere have no word here, but "": they are said only
// where nothing else is expected.
var words = map[string]string{
	"EOF": "the end of the diagram", "NEWLINE": "the end of the line", "NL": "the end of the line",
	"SEMI": "", ";": "", "SPACE": "", "SPACELINE": "", "SPACELIST": "", "EOF_IN_STRUCT": "",
	"acc_title": "", "acc_descr": "", "acc_descr_multiline_value": "", "accDescription": "", "acc_title_value": "", "acc_descr_value": "",

	"TESTSTR": "", "par_over": "", "END_ARROW_L": "<-", "END_ARROW_R": "->",

	// flowchart
	"NODE_STRING": "a node", "idString[vertex]": "a node", "idString[class]": "a class name",
	"LINK": "an arrow such as -->", "START_LINK": "an arrow such as -->", "LINK_ID": "an arrow such as -->",
	"SQE": "]", "PE": ")", "DIAMOND_STOP": "}", "STADIUMEND": "])", "SUBROUTINEEND": "]]", "CYLINDEREND": ")]",
	"DOUBLECIRCLEEND": ")))", "-)": "-)", "TRAPEND": "/]", "INVTRAPEND": "\\]", "TAGEND": ">", "TAGSTART": "",
	"SQS": "[", "PS": "(", "(-": "", "DIAMOND_START": "{", "STADIUMSTART": "", "SUBROUTINESTART": "", "CYLINDERSTART": "",
	"DOUBLECIRCLESTART": "", "TRAPSTART": "", "INVTRAPSTART": "", "VERTEX_WITH_PROPS_START": "", "SHAPE_DATA": "",
	"PIPE": "|", "STR": "a text in quotes", "MD_STR": "", "TEXT": "a text", "EDGE_TEXT": "the text of the arrow", "UNICODE_TEXT": "a text", "AMP": "&",
	"STYLE_SEPARATOR": ":::", "DIR": "a direction (TB, BT, LR, RL)", "NODIR": "", "GRAPH": "flowchart", "subgraph": "subgraph", "end": "end",
	"MINUS": "", "MULT": "", "NUM": "a number", "COMMA": ",", "COLON": ":", "DEFAULT": "", "BRKT": "", "PCT": "", "UNIT": "", "UP": "", "DOWN": "",
	"CLASS": "class", "CLASSDEF": "classDef", "CLICK": "click", "STYLE": "style", "LINKSTYLE": "linkStyle",
	"direction_tb": "", "direction_td": "", "direction_bt": "", "direction_rl": "", "direction_lr": "",

	// sequence
	"ACTOR": "a participant", "TXT": "a : and the message", "SD": "sequenceDiagram", "()": "", "+": "", "-": "", "INVALID": "",
	"AS": "as", "restOfLine": "a text", "participant_actor": "actor", "left_of": "left of", "right_of": "right of", "legacy_title": "",
	"CONFIG_START": "", "CONFIG_CONTENT": "", "CONFIG_END": "",

	// class
	"CLASS_DIAGRAM": "classDiagram", "ALPHA": "a name", "BQUOTE_STR": "", "STRUCT_START": "{", "STRUCT_STOP": "}", "MEMBER": "an attribute or method",
	"AGGREGATION": relation, "COMPOSITION": relation, "EXTENSION": relation, "DEPENDENCY": relation, "LOLLIPOP": relation, "LINE": relation, "DOTTED_LINE": relation,
	"LABEL": "a : and a label", "SEPARATOR": "", "DOT": ".", "GENERICTYPE": "", "ANNOTATION_START": "<<annotation>>", "ANNOTATION_END": ">>",
	"NAMESPACE": "namespace", "NOTE": "note", "NOTE_FOR": "note for", "CSSCLASS": "", "CALLBACK": "", "HREF": "",

	// state
	"ID": "a name", "-->": "-->", "DESCR": "a : and a description", "STATE_DESCR": "a description", "COMPOSIT_STATE": "a state", "EDGE_STATE": "[*]",
	"FORK": "", "JOIN": "", "CHOICE": "", "CONCURRENT": "", "HIDE_EMPTY": "", "STYLECLASS": "", "NOTE_TEXT": "the text of the note", "STRING": "a text in quotes",

	// ER
	"ER_DIAGRAM": "erDiagram", "ENTITY_NAME": "an entity", "WORD": "a text in quotes", "BLOCK_START": "{", "BLOCK_STOP": "}",
	"ATTRIBUTE_WORD": "an attribute's name", "ATTRIBUTE_KEY": "PK, FK or UK", "COMMENT": "a comment in quotes", "?": "",
	"ZERO_OR_ONE": cardinality, "ZERO_OR_MORE": cardinality, "ONE_OR_MORE": cardinality, "ONLY_ONE": cardinality, "MD_PARENT": "",
	"IDENTIFYING": "-- or ..", "NON_IDENTIFYING": "-- or ..", "ENTITY_ONE": "", "DECIMAL_NUM": "", "STYLE_TEXT": "", "END": "end", "SUBGRAPH": "subgraph",

	// gantt, journey, timeline
	"taskTxt": "a task", "taskData": "a : and the task's data", "taskName": "a task", "period": "a period", "event": "an event",
	"weekday_monday": "", "weekday_tuesday": "", "weekday_wednesday": "", "weekday_thursday": "", "weekday_friday": "", "weekday_saturday": "", "weekday_sunday": "",
	"weekend_friday": "", "weekend_saturday": "", "inclusiveEndDates": "", "topAxis": "", "axisFormat": "", "tickInterval": "", "includes": "", "todayMarker": "",

	// others
	"SQUARE_BRACES_START": "[", "SQUARE_BRACES_END": "]", "NUMBER_WITH_DECIMAL": "a number", "X_AXIS": "x-axis", "Y_AXIS": "y-axis", "BAR": "bar", "XYCHART": "xychart",
	"CHART_ORIENTATION": "horizontal or vertical", "X-AXIS": "x-axis", "Y-AXIS": "y-axis", "NODE_ID": "a node", "NODE_DESCR": "a text", "NODE_DSTART": "a bracket", "NODE_DEND": "the closing bracket",
	"IDENTIFIER": "a name", "NUMERIC": "a number", "SET": "set", "UNION": "union", "TITLE": "title", "BRACKET_LABEL": "a label in brackets", "HEXCOLOR": "a colour", "RGBCOLOR": "a colour", "RGBACOLOR": "a colour",
	"NUMBER": "a number", "NUMBER_PIE": "a number", "INT": "a whole number", "STRING_": "a text in quotes", "unqString": "a name", "qString": "a text in quotes",
	"ARROW_DIRECTION": "a side (L, R, T or B)", "LBRACE": "{", "RBRACE": "}", "ATTRIBUTE": "an argument",
}

// wordsOf are words of a type whose token another type uses in another sense.
var wordsOf = map[string]map[string]string{
	"xychart": {"LINE": "line", "STR": "a text in quotes"},
}

const (
	relation    = "a relation such as <|-- or -->"
	cardinality = "a cardinality such as ||--o{"
)

var (
	// arrowToken are sequence's many arrows.
	arrowToken   = pattern(`^(?:BIDIRECTIONAL_|SOLID_|DOTTED_|STICK_).*|^(?:SOLID|DOTTED)_(?:ARROW|POINT|CROSS)$`)
	keywordToken = pattern(`^[a-z][A-Za-z-]*$`)
	punctuation  = pattern(`^[^\p{L}\p{N}]+$`)
)

// inWords turns names of tokens into a short list for people.
func inWords(kind string, tokens []string) []string {
	var things, keywords []string
	add := func(list *[]string, word string) {
		if word != "" && !slices.Contains(*list, word) {
			*list = append(*list, word)
		}
	}
	for _, t := range tokens {
		word, known := wordsOf[kind][t]
		if !known {
			word, known = words[t]
		}
		switch {
		case known:
			add(&things, word)
		case arrowToken().MatchString(t):
			add(&things, "an arrow such as ->>")
		case keywordToken().MatchString(t):
			add(&keywords, t)
		case punctuation().MatchString(t):
			add(&things, t)
		default:
			add(&things, "a "+strings.ToLower(strings.ReplaceAll(t, "_", " ")))
		}
	}
	if slices.Contains(keywords, "end") { // the one that is missed most
		keywords = append([]string{"end"}, slices.DeleteFunc(keywords, func(s string) bool { return s == "end" })...)
	}
	all := slices.Concat(things, keywords)
	if len(all) > maxExpected {
		if len(things) > maxExpected-1 {
			things = things[:maxExpected-1]
		}
		all = slices.Concat(things, keywords[:min(len(keywords), maxExpected-1-len(things))], []string{"another statement"})
	}
	return all
}
