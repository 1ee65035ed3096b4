using Gateway.Codec.Binary;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Binary;

/// <summary>The byte vectors of Part 6 §5.2.2 and of its most compact forms.</summary>
public sealed class WorkedExampleTests
{
    [Fact]
    public void Int32_OneBillion_IsLittleEndian() =>
        AssertBytes("00CA9A3B", (ref UaBinaryWriter w) => w.WriteInt32(1_000_000_000));

    [Fact]
    public void Float_MinusSixAndAHalf_IsIeee754() =>
        AssertBytes("0000D0C0", (ref UaBinaryWriter w) => w.WriteFloat(-6.5f));

    [Fact]
    public void String_WaterBoy_IsUtf8BehindItsLength() =>
        AssertBytes("06000000E6B0B4426F79", (ref UaBinaryWriter w) => w.WriteString("水Boy"));

    [Fact]
    public void Guid_OfTheExample_HasItsFirstFieldsLittleEndian() =>
        AssertBytes("912B967275FAE64A8D28B404DC7DAF63", (ref UaBinaryWriter w) => w.WriteGuid(SampleVariants.Guid));

    [Fact]
    public void NodeId_HotWater_IsAString() =>
        AssertBytes("03010006000000486F74E6B0B4", (ref UaBinaryWriter w) => w.WriteNodeId(new NodeId("Hot水", 1)));

    [Fact]
    public void NodeId_72_TakesTwoBytes() =>
        AssertBytes("0048", (ref UaBinaryWriter w) => w.WriteNodeId(new NodeId(72)));

    [Fact]
    public void NodeId_1025InNamespace5_TakesFourBytes() =>
        AssertBytes("01050104", (ref UaBinaryWriter w) => w.WriteNodeId(new NodeId(1025, 5)));

    [Theory]
    [InlineData(0u, 0, 2)]
    [InlineData(255u, 0, 2)]
    [InlineData(255u, 1, 4)]
    [InlineData(256u, 0, 4)]
    [InlineData(65535u, 255, 4)]
    [InlineData(65536u, 0, 7)]
    [InlineData(1u, 256, 7)]
    public void NodeId_Numeric_TakesTheMostCompactForm(uint identifier, ushort index, int length) =>
        Assert.Equal(
            length,
            Wire.Encode((ref UaBinaryWriter w) => w.WriteNodeId(new NodeId(identifier, index))).Length);

    [Fact]
    public void ExpandedNodeId_WithUriAndServer_SetsBothFlags() =>
        AssertBytes(
            "C001010000007505000000",
            (ref UaBinaryWriter w) => w.WriteExpandedNodeId(new ExpandedNodeId(new NodeId(1), "u", 5)));

    [Fact]
    public void DateTime_Epoch_IsZero()
    {
        AssertBytes("0000000000000000", (ref UaBinaryWriter w) => w.WriteDateTime(new DateTime(1601, 1, 1)));
        AssertBytes("8096980000000000", (ref UaBinaryWriter w) => w.WriteDateTime(new DateTime(1601, 1, 1, 0, 0, 1)));
        AssertBytes("FFFFFFFFFFFFFF7F", (ref UaBinaryWriter w) => w.WriteDateTime(DateTime.MaxValue));
    }

    [Theory]
    [InlineData(-1L, 0L)]
    [InlineData(0L, 0L)]
    [InlineData(long.MinValue, 0L)]
    [InlineData(long.MaxValue, long.MaxValue)]
    [InlineData(2650467743990000000L, long.MaxValue)]
    [InlineData(2650467743989999999L, 2650467743989999999L)]
    public void DateTime_OutsideTheClrRange_IsClamped(long wire, long expected) =>
        Assert.Equal(expected, UaDateTime.ToWire(UaDateTime.FromWire(wire)));

    [Fact]
    public void LocalizedText_TextOnly_HasOneFlag() =>
        AssertBytes("020100000061", (ref UaBinaryWriter w) => w.WriteLocalizedText(new LocalizedText("a")));

    [Fact]
    public void QualifiedName_Example_IsIndexAndName() =>
        AssertBytes("02000100000061", (ref UaBinaryWriter w) => w.WriteQualifiedName(new QualifiedName("a", 2)));

    [Fact]
    public void Variant_MatrixOfInt32_HasDimensionsBehind() =>
        AssertBytes(
            "C604000000010000000200000003000000040000000200000002000000" + "02000000",
            (ref UaBinaryWriter w) => w.WriteVariant(
                Variant.FromMatrix(BuiltInType.Int32, new Matrix(new[] { 1, 2, 3, 4 }, [2, 2]))));

    [Fact]
    public void ExtensionObject_Null_IsThreeZeroBytes() =>
        AssertBytes("000000", (ref UaBinaryWriter w) => w.WriteExtensionObject(default));

    [Fact]
    public void DiagnosticInfo_LocaleAndText_AreWrittenLocaleFirst() =>
        AssertBytes(
            "0C0100000002000000",
            (ref UaBinaryWriter w) => w.WriteDiagnosticInfo(new DiagnosticInfo { Locale = 1, LocalizedText = 2 }));

    private static void AssertBytes(string hex, Wire.Write write) =>
        Assert.Equal(hex, Convert.ToHexString(Wire.Encode(write)));
}
