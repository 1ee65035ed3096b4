using System.Reflection;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;
using Gateway.Testing;

namespace Gateway.Fuzz.Codec;

/// <summary>R02: 2 GiB declared in every length field of every structure, made from the list of types.</summary>
public sealed class LengthFieldTests
{
    public static TheoryData<string> Names => new(SampleStructures.Types.Select(t => t.Name));

    [Theory]
    [MemberData(nameof(Names))]
    public void Decode_TwoGiBInEachLengthField_IsRefusedBeforeItIsAllocated(string name)
    {
        var type = SampleStructures.Types.Single(t => t.Name == name);
        var decoder = DecoderCase.Find(name);
        foreach (var field in SampleStructures.Fields(type).Where(HasLength))
        {
            var sample = SampleStructures.Make(type);
            var withElements = Wire.Encode(sample);
            var withEmpty = Wire.Encode(WithEmpty(sample, field));
            // Some and none differ in the field's length and in nothing before it.
            var offset = withEmpty.AsSpan().CommonPrefixLength(withElements);
            Assert.Equal(0, BitConverter.ToInt32(withEmpty, offset));
            BitConverter.TryWriteBytes(withEmpty.AsSpan(offset), int.MaxValue);

            var status = decoder.Run(withEmpty, $"{name}.{field.Name}");

            Assert.True(status.IsBad, $"{name}.{field.Name}: {status}");
        }
    }

    [Fact]
    public void ReadVariant_TwoGiBInTheLengthOfEachType_IsRefusedBeforeItIsAllocated()
    {
        for (var type = BuiltInType.Boolean; type <= BuiltInType.DiagnosticInfo; type++)
        {
            byte[] array = [(byte)((byte)type | 0x80), 0xFF, 0xFF, 0xFF, 0x7F, 1, 2, 3, 4, 5, 6, 7, 8];
            Assert.InRange(Allocations.Least(() => AssertRefused(array)), 0, 1024);
        }
    }

    private static long AssertRefused(byte[] array)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        var reader = new UaBinaryReader(array);
        reader.ReadVariant();
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.True(reader.Failed, Convert.ToHexString(array));
        return allocated;
    }

    private static bool HasLength(PropertyInfo field) =>
        field.PropertyType.IsArray || field.PropertyType == typeof(string);

    private static IStructure WithEmpty(IStructure sample, PropertyInfo field)
    {
        object empty = field.PropertyType == typeof(string)
            ? string.Empty
            : Array.CreateInstance(field.PropertyType.GetElementType()!, 0);
        field.SetValue(sample, empty);
        return sample;
    }
}
