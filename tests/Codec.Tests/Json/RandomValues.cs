using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;
using UaVariant = Gateway.Codec.Types.Variant;

namespace Gateway.Codec.Tests.Json;

/// <summary>Values of all types, shapes and depths, the same for the same seed. The samples' edges come up often.
/// </summary>
internal sealed class RandomValues(int seed)
{
    private const int MostLevels = 4;

    private static readonly string[] Texts =
    [
        "", "a", "水", "\U0001F600", "\"\\\n\t", "nsu=urn:x;y", "5:x", "0:x", ";%", "</script>", "é\u2028",
    ];

    private readonly Random _random = new(seed);

    public Random Random => _random;

    /// <summary>With picoseconds only beside a time, as they are encoded.</summary>
    public DataValue DataValue(int level = 0)
    {
        var (source, server) = (Time(), Time());
        return new DataValue(
            Variant(level + 1),
            _random.Next(3) == 0 ? new StatusCode((uint)_random.NextInt64(1L << 32)) : StatusCode.Good,
            source, server,
            (ushort)(source == default ? 0 : _random.Next(10_000)),
            (ushort)(server == default ? 0 : _random.Next(10_000)));
    }

    public Variant Variant(int level = 0)
    {
        var type = (BuiltInType)_random.Next((int)BuiltInType.DiagnosticInfo + 1);
        if (type == BuiltInType.Null || (level > MostLevels && type > BuiltInType.LocalizedText))
            return default;
        var shape = _random.Next(4);
        if (shape < 2 && type != BuiltInType.Variant)
            return SampleVariants.Scalar(type, One(type, level));
        if (shape == 3)
        {
            int[] dimensions = [_random.Next(3), _random.Next(1, 3), _random.Next(1, 4)];
            return UaVariant.FromMatrix(
                type, new Matrix(Elements(type, dimensions[0] * dimensions[1] * dimensions[2], level), dimensions));
        }

        return UaVariant.FromArray(type, _random.Next(8) == 0 ? null : Elements(type, _random.Next(5), level));
    }

    private Array Elements(BuiltInType type, int count, int level)
    {
        var elements = Array.CreateInstance(SampleVariants.Arrays[type].GetType().GetElementType()!, count);
        for (var i = 0; i < count; i++)
            elements.SetValue(One(type, level), i);
        return elements;
    }

    private object? One(BuiltInType type, int level)
    {
        var samples = SampleVariants.Arrays[type];
        if (type is not (BuiltInType.Variant or BuiltInType.DataValue) && _random.Next(3) == 0)
            return samples.GetValue(_random.Next(samples.Length));
        return type switch
        {
            BuiltInType.Boolean => _random.Next(2) == 0,
            BuiltInType.SByte => (sbyte)_random.Next(),
            BuiltInType.Byte => (byte)_random.Next(),
            BuiltInType.Int16 => (short)_random.Next(),
            BuiltInType.UInt16 => (ushort)_random.Next(),
            BuiltInType.Int32 => (int)_random.NextInt64(),
            BuiltInType.UInt32 => (uint)_random.NextInt64(),
            BuiltInType.Int64 => _random.NextInt64(long.MinValue, long.MaxValue),
            BuiltInType.UInt64 => (ulong)_random.NextInt64(long.MinValue, long.MaxValue),
            BuiltInType.Float => BitConverter.Int32BitsToSingle((int)_random.NextInt64()),
            BuiltInType.Double => BitConverter.Int64BitsToDouble(_random.NextInt64(long.MinValue, long.MaxValue)),
            BuiltInType.String => Text(),
            BuiltInType.DateTime => Time(),
            BuiltInType.Guid => _random.Next(4) == 0 ? Guid.Empty : SampleVariants.Guid,
            BuiltInType.ByteString => _random.Next(4) == 0 ? null : Bytes(),
            BuiltInType.XmlElement => new XmlElement(Text()),
            BuiltInType.NodeId => NodeId(),
            BuiltInType.ExpandedNodeId => ExpandedNodeId(),
            BuiltInType.StatusCode => new StatusCode((uint)_random.NextInt64(1L << 32)),
            BuiltInType.QualifiedName => new QualifiedName(Text(), (ushort)_random.Next(4)),
            BuiltInType.LocalizedText => new LocalizedText(Text(), Text()),
            BuiltInType.ExtensionObject => _random.Next(2) == 0
                ? new ExtensionObject(NodeId(), Bytes())
                : new ExtensionObject(new NodeId(5, 1), new XmlElement(Text())),
            BuiltInType.DataValue => DataValue(level + 1),
            BuiltInType.Variant => Variant(level + 1),
            _ => Diagnostic(level),
        };
    }

    private string? Text()
    {
        if (_random.Next(6) == 0)
            return null;
        return string.Concat(Enumerable.Range(0, _random.Next(4)).Select(_ => Texts[_random.Next(Texts.Length)]));
    }

    private byte[] Bytes()
    {
        var bytes = new byte[_random.Next(20)];
        _random.NextBytes(bytes);
        return bytes;
    }

    private DateTime Time() => _random.Next(4) switch
    {
        0 => DateTime.MinValue,
        1 => DateTime.MaxValue,
        _ => SampleVariants.Time.AddTicks(_random.NextInt64(-10_000_000_000_000_000, 10_000_000_000_000_000)),
    };

    private NodeId NodeId()
    {
        var index = (ushort)_random.Next(4);
        return _random.Next(4) switch
        {
            0 => new NodeId((uint)_random.NextInt64(1L << 32), index),
            1 => new NodeId(Text() + "x", index),
            2 => new NodeId(SampleVariants.Guid, index),
            _ => new NodeId(Bytes(), index),
        };
    }

    private ExpandedNodeId ExpandedNodeId() => _random.Next(3) == 0
        ? new ExpandedNodeId(NodeId().WithNamespace(0), "urn:a;b%" + _random.Next(3), (uint)_random.Next(4))
        : new ExpandedNodeId(NodeId(), null, (uint)_random.Next(4));

    private DiagnosticInfo? Diagnostic(int level) => _random.Next(4) == 0 || level > MostLevels ? null : new()
    {
        SymbolicId = _random.Next(-1, 5),
        NamespaceUri = _random.Next(-1, 5),
        Locale = _random.Next(-1, 5),
        LocalizedText = _random.Next(-1, 5),
        AdditionalInfo = Text(),
        InnerStatusCode = _random.Next(2) == 0 ? StatusCodes.BadTimeout : null,
        InnerDiagnosticInfo = Diagnostic(level + 1),
    };
}
