// Two test classes at a time: most of one's time is spent waiting for programs to start, to end or to come back. Each
// has ports, folders and programs of its own; classes that share them are a collection.
[assembly: CollectionBehavior(MaxParallelThreads = 2)]
