using Gateway.Codec.Structures;

namespace Gateway.Codec.Tests.Samples;

internal sealed record OwnSample(IStructure Value, StructureEntry.BinaryDecoder Decode);
