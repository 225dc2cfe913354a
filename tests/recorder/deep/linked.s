// Empty: functions that are linked by name have no body in Go.
