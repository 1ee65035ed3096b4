using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Json.Transcoding;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;
using Gateway.Testing;

namespace Gateway.Codec.Tests.Json;

/// <summary>Every structure of the registry, with random values: from UA Binary to an object, to JSON, to an object and
/// to the same bytes; and from the bytes straight to the same JSON.</summary>
public sealed class JsonStructureRoundTripTests
{
    private const int ValuesOfEach = 12;

    public static TheoryData<JsonEncoding> Encodings => new(Enum.GetValues<JsonEncoding>());

    public static TheoryData<string> OwnNames => new(OwnSamples.All.Keys);

    [Theory]
    [MemberData(nameof(Encodings))]
    public void Structures_OfTheRegistry_ComeBack(JsonEncoding encoding)
    {
        Assert.Equal(StructureRegistry.All.Count, SampleStructures.Types.Count);
        foreach (var type in SampleStructures.Types)
        {
            var random = new RandomStructures(20_261_123);
            var samples = Enumerable.Range(0, ValuesOfEach).Select(_ => random.Make(type))
                .Append((IStructure)Activator.CreateInstance(type)!).Append(SampleStructures.Make(type));
            foreach (var sample in samples)
                AssertComesBack(encoding, sample);
        }
    }

    [Theory]
    [MemberData(nameof(OwnNames))]
    public void Structures_OfEveryKind_ComeBack(string name)
    {
        var bytes = Wire.Encode(OwnSamples.All[name].Value);
        foreach (var encoding in new[] { JsonEncoding.Compact, JsonEncoding.Verbose, JsonEncoding.Reversible })
        {
            var text = JsonOf.Text(encoding, w => ((IJsonStructure)OwnSamples.All[name].Value).Encode(w));
            var back = JsonOf.Value<IStructure>(text, (ref UaJsonReader r) => OwnSamples.All[name].Value switch
            {
                UnionSample => r.ReadStructure<UnionSample>(),
                SubtypedSample => r.ReadStructure<SubtypedSample>(),
                DerivedOptionalSample => r.ReadStructure<DerivedOptionalSample>(),
                _ => r.ReadStructure<OptionalSample>(),
            });
            Assert.True(bytes.AsSpan().SequenceEqual(Wire.Encode(back)), text);
        }
    }

    [Theory]
    [MemberData(nameof(Encodings))]
    public void Encode_EveryStructure_AllocatesNothing(JsonEncoding encoding)
    {
        var format = JsonOf.Format(encoding);
        var samples = SampleStructures.Types.Select(SampleStructures.Make)
            .Concat(OwnSamples.All.Values.Select(own => own.Value)).Cast<IJsonStructure>().ToArray();
        for (var i = 0; i < 40; i++)
            Write();
        Assert.Equal(0, Allocations.Least(() =>
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            Write();
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }));

        void Write()
        {
            var writer = UaJsonWriter.Rent(format);
            foreach (var sample in samples)
                sample.Encode(writer);
            if (writer.WrittenSpan.IsEmpty || writer.Failed)
                throw new InvalidOperationException(writer.Status.ToString());
            writer.Return();
        }
    }

    private static void AssertComesBack(JsonEncoding encoding, IStructure sample)
    {
        var value = Variant.FromStructure(sample);
        var bytes = JsonOf.Binary(value);
        var decoded = Wire.Decode(bytes, (ref UaBinaryReader r) => r.ReadVariant());
        var text = JsonOf.Text(encoding, decoded);
        Assert.Equal(text, JsonOf.Text(encoding, w => Assert.True(JsonTranscoder.TryWriteVariant(w, bytes))));
        System.Text.Json.JsonDocument.Parse(text).Dispose();
        if (encoding == JsonEncoding.NonReversible)
            return;
        var back = JsonOf.Variant(text);
        Assert.True(
            bytes.AsSpan().SequenceEqual(JsonOf.Binary(back)),
            $"{StructureEquality.Difference(decoded.AsExtensionObject(), back.AsExtensionObject())} in {text}");
    }
}
