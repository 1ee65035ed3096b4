using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Binary;

public sealed class BuiltInTypeTests
{
    public static TheoryData<BuiltInType> ArrayTypes => new(SampleVariants.Arrays.Keys);

    public static TheoryData<BuiltInType> ScalarTypes =>
        new(SampleVariants.Arrays.Keys.Where(t => t != BuiltInType.Variant));

    [Theory]
    [MemberData(nameof(ScalarTypes))]
    public void Variant_ScalarOfEachType_ComesBack(BuiltInType type)
    {
        foreach (var element in SampleVariants.Arrays[type])
        {
            var value = SampleVariants.Scalar(type, element);
            AssertComesBack(value);
        }
    }

    [Theory]
    [MemberData(nameof(ArrayTypes))]
    public void Variant_ArrayOfEachType_ComesBack(BuiltInType type)
    {
        AssertComesBack(Variant.FromArray(type, SampleVariants.Arrays[type]));
        AssertComesBack(Variant.FromArray(type, Array.CreateInstance(ElementType(type), 0)));
        AssertComesBack(Variant.FromArray(type, null));
    }

    [Theory]
    [MemberData(nameof(ArrayTypes))]
    public void Variant_MatrixOfEachType_ComesBack(BuiltInType type)
    {
        var source = SampleVariants.Arrays[type];
        var elements = Array.CreateInstance(ElementType(type), 12);
        for (var i = 0; i < elements.Length; i++)
            elements.SetValue(source.GetValue(i % source.Length), i);

        AssertComesBack(Variant.FromMatrix(type, new Matrix(elements, [3, 4])));
        AssertComesBack(Variant.FromMatrix(type, new Matrix(elements, [2, 3, 2])));
        AssertComesBack(Variant.FromMatrix(type, new Matrix(Array.CreateInstance(ElementType(type), 0), [3, 0])));
    }

    [Fact]
    public void Variant_ArrayLongerThanTheFirstElements_ComesBack() =>
        AssertComesBack(Variant.FromArray(
            BuiltInType.String, Enumerable.Range(0, 1000).Select(i => i.ToString()).ToArray()));

    [Fact]
    public void Variant_NullAndDefault_IsOneZeroByte()
    {
        Assert.Equal([0], Wire.Encode((ref UaBinaryWriter w) => w.WriteVariant(default)));
        AssertComesBack(Variant.Null);
    }

    [Fact]
    public void Variant_KnownExtensionObject_IsDecodedToItsStructure()
    {
        var argument = new Argument { Name = "a", DataType = new NodeId(StandardIds.DataTypes.Int32), ValueRank = -1 };

        var bytes = Wire.Encode((ref UaBinaryWriter w) => w.WriteVariant(Variant.FromStructure(argument)));
        var back = Wire.Decode(bytes, (ref UaBinaryReader r) => r.ReadVariant());

        Assert.Null(StructureEquality.Difference(argument, back.AsStructure<Argument>()));
        Assert.Equal(new NodeId(Argument.BinaryEncodingId), back.AsExtensionObject().TypeId);
    }

    [Theory]
    [InlineData(26)]
    [InlineData(31)]
    public void Variant_ReservedType_IsReadAsByteString(byte encoding)
    {
        var back = Wire.Decode([encoding, 2, 0, 0, 0, 8, 9], (ref UaBinaryReader r) => r.ReadVariant());

        Assert.Equal<byte>([8, 9], back.AsByteString()!);
    }

    [Fact]
    public void DataValue_PicosecondsWithoutTime_AreNotWritten()
    {
        var bytes = Wire.Encode((ref UaBinaryWriter w) =>
            w.WriteDataValue(new DataValue(new Variant(true), SourcePicoseconds: 5, ServerPicoseconds: 6)));

        Assert.Equal([0x01, 0x01, 0x01], bytes);
    }

    private static Type ElementType(BuiltInType type) => SampleVariants.Arrays[type].GetType().GetElementType()!;

    private static void AssertComesBack(Variant value)
    {
        var bytes = Wire.Encode((ref UaBinaryWriter w) => w.WriteVariant(value));
        var back = Wire.Decode(bytes, (ref UaBinaryReader r) => r.ReadVariant());

        Assert.Equal(value, back);
        Assert.Equal(value.GetHashCode(), back.GetHashCode());
        Assert.Equal(bytes, Wire.Encode((ref UaBinaryWriter w) => w.WriteVariant(back)));
    }
}
