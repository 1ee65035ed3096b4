// Two cores and processes on both: one test class at a time keeps lateness a matter of the gateway.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
