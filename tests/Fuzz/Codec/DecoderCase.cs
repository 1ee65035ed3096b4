using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Fuzz.Codec;

/// <summary>One decoder with a message that it accepts, and the promise that every other message is held to: no
/// exception, a typed status, a bounded allocation.</summary>
internal sealed class DecoderCase
{
    private const int AllocatedBytes = 64 * 1024;

    private static readonly Dictionary<string, DecoderCase> All = MakeAll();

    private readonly StructureEntry.BinaryDecoder? _structure;
    private readonly BuiltInType _type;

    private DecoderCase(byte[] message, StructureEntry.BinaryDecoder? structure, BuiltInType type)
    {
        Message = message;
        _structure = structure;
        _type = type;
    }

    public static TheoryData<string> Names => new(All.Keys);

    public byte[] Message { get; }

    public static DecoderCase Find(string name) => All[name];

    /// <summary>Decodes; the rest of the bytes is not asked for.</summary>
    /// <param name="bytes">What to decode.</param>
    /// <param name="what">Names the case when it fails.</param>
    public StatusCode Run(ReadOnlySpan<byte> bytes, string what)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        StatusCode status;
        try
        {
            var reader = new UaBinaryReader(bytes);
            Decode(ref reader);
            status = reader.Status;
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            Assert.Fail($"{what}: {e}");
            throw;
        }

        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        var code = status.Code;
        Assert.True(
            code is StatusCodes.Good or StatusCodes.BadDecodingError or StatusCodes.BadEncodingLimitsExceeded,
            $"{what}: {status}");
        // A message that is larger than the bound may also take in proportion to itself.
        var bound = Math.Max(AllocatedBytes, 16L * bytes.Length);
        Assert.True(allocated <= bound, $"{what}: {allocated} bytes allocated for a message of {bytes.Length}");
        return status;
    }

    public object? Decode(ref UaBinaryReader reader)
    {
        if (_structure is not null)
            return _structure(ref reader);
        return _type switch
        {
            BuiltInType.NodeId => reader.ReadNodeId(),
            BuiltInType.ExpandedNodeId => reader.ReadExpandedNodeId(),
            BuiltInType.DataValue => reader.ReadDataValue(),
            BuiltInType.ExtensionObject => reader.ReadExtensionObject(),
            BuiltInType.DiagnosticInfo => reader.ReadDiagnosticInfo(),
            _ => reader.ReadVariant(),
        };
    }

    private static Dictionary<string, DecoderCase> MakeAll()
    {
        var all = new Dictionary<string, DecoderCase>();
        foreach (var type in SampleStructures.Types)
        {
            var sample = SampleStructures.Make(type);
            Assert.True(StructureRegistry.TryGetByBinaryEncoding(sample.BinaryEncodingId, out var entry));
            all.Add(type.Name, new DecoderCase(Wire.Encode(sample), entry.DecodeBinary, default));
        }

        foreach (var (name, sample) in OwnSamples.All)
            all.Add(name, new DecoderCase(Wire.Encode(sample.Value), sample.Decode, default));

        foreach (var (type, elements) in SampleVariants.Arrays)
        {
            var value = Variant.FromArray(type, elements);
            Add($"Variant of {type}[]", (ref UaBinaryWriter w) => w.WriteVariant(value), BuiltInType.Variant);
        }

        var matrix = Variant.FromMatrix(BuiltInType.Int32, new Matrix(new int[12], [3, 2, 2]));
        var info = (DiagnosticInfo?)SampleVariants.Arrays[BuiltInType.DiagnosticInfo].GetValue(2);
        var nodeId = new NodeId("Tag", 2);
        var expanded = new ExpandedNodeId(nodeId, "urn:x", 3);
        var known = new ExtensionObject(SampleStructures.Make(typeof(EndpointDescription)));
        Add("Variant of a matrix", (ref UaBinaryWriter w) => w.WriteVariant(matrix), BuiltInType.Variant);
        Add("NodeId", (ref UaBinaryWriter w) => w.WriteNodeId(nodeId), BuiltInType.NodeId);
        Add("ExpandedNodeId", (ref UaBinaryWriter w) => w.WriteExpandedNodeId(expanded), BuiltInType.ExpandedNodeId);
        Add("DataValue", (ref UaBinaryWriter w) => w.WriteDataValue(new(matrix)), BuiltInType.DataValue);
        Add("DiagnosticInfo", (ref UaBinaryWriter w) => w.WriteDiagnosticInfo(info), BuiltInType.DiagnosticInfo);
        Add("ExtensionObject", (ref UaBinaryWriter w) => w.WriteExtensionObject(known), BuiltInType.ExtensionObject);
        return all;

        void Add(string name, Wire.Write write, BuiltInType type) =>
            all.Add(name, new DecoderCase(Wire.Encode(write), null, type));
    }
}
