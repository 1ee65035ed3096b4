using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;

namespace Gateway.Codec.Tests.Structures;

public sealed class StructureRegistryTests
{
    [Fact]
    public void TryGet_EveryDeclaration_IsFoundByItsDataTypeAndByItsEncoding()
    {
        Assert.Equal(SampleStructures.Types.Count, StructureRegistry.All.Count);
        foreach (var type in SampleStructures.Types)
        {
            var structure = (IStructure)Activator.CreateInstance(type)!;

            Assert.True(StructureRegistry.TryGet(structure.DataTypeId, out var byType));
            Assert.True(StructureRegistry.TryGetByBinaryEncoding(structure.BinaryEncodingId, out var byEncoding));

            Assert.Same(byType, byEncoding);
            Assert.Equal(
                (type, structure.DataTypeId, structure.BinaryEncodingId),
                (byType.Type, byType.DataTypeId, byType.BinaryEncodingId));
        }
    }

    [Fact]
    public void TryGet_IdOfTheOtherKind_IsNotFound()
    {
        Assert.False(StructureRegistry.TryGet(ReadRequest.BinaryEncodingId, out _));
        Assert.False(StructureRegistry.TryGetByBinaryEncoding(((IStructure)new ReadRequest()).DataTypeId, out _));
    }
}
