using Gateway.Store.Records;

namespace Gateway.Store;

/// <summary>Records of one block that go to the disk in one write.</summary>
internal readonly record struct Unwritten(Block Block, int From, int To, long First, long Last, long Ticks);
