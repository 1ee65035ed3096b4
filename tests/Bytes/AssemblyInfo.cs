// The bytes of a whole process are counted: one test at a time.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
