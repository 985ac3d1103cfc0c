package render

import (
	"encoding/json"
	"errors"
	"fmt"
)

// ErrClosed is what a closed pool answers.
var ErrClosed = errors.New("render: closed")

// ErrBusy means that the queue is full.
var ErrBusy = errors.New("render: too many jobs are waiting")

// JobError is a failure that the job itself reported.
type JobError struct {
	Message string `json:"message"`
	// Data is what the job's error told of itself by a method
	// ErrorData() any; else empty.
	Data json.RawMessage `json:"data,omitempty"`
}

func (e *JobError) Error() string { return e.Message }

// jobError makes err fit to cross a pipe.
func jobError(err error) *JobError {
	out := &JobError{Message: err.Error()}
	var teller interface{ ErrorData() any }
	if errors.As(err, &teller) {
		if data, err := json.Marshal(teller.ErrorData()); err == nil {
			out.Data = data
		}
	}
	return out
}

// CrashError says that the worker process ended under the job.
type CrashError struct {
	Cause  error
	Stderr string // the end of what it wrote there, for the log
}

func (e *CrashError) Error() string {
	return fmt.Sprintf("render: the worker process ended: %v", e.Cause)
}

func (e *CrashError) Unwrap() error { return e.Cause }

// StoppedError says that the context ended the job. Err is the context's cause.
type StoppedError struct {
	Running bool // false if it was still queued
	Err     error
}

func (e *StoppedError) Error() string {
	where := "waiting in the queue"
	if e.Running {
		where = "running"
	}
	return fmt.Sprintf("render: stopped while %s: %v", where, e.Err)
}

func (e *StoppedError) Unwrap() error { return e.Err }
