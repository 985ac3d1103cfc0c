//go:build race

package encoder_test

const raceEnabled = true
