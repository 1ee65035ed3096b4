using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json.Definitions;

/// <summary>A structure by its DataTypeDefinition: JSON from its bytes without objects, and bytes from JSON. Immutable
/// once it is complete. Threads: any. Source: Part 6 §5.2.6 to §5.2.8, §5.4.6 to §5.4.8.</summary>
internal sealed class DefinedStructure(NodeId dataTypeId, NodeId encodingId) : IJsonStructureType
{
    /// <summary>Size of a default value, which two characters of JSON can request (R02).</summary>
    private const int MaxDefaultBytes = 64 * 1024;

    private DefinedField[] _fields = [];

    /// <summary>The fields as a reader numbers them: the optional ones first, their positions are their bits.</summary>
    private DefinedField[] _ordered = [];

    /// <summary>The positions of the fields in <see cref="_ordered"/>.</summary>
    private int[] _positions = [];

    /// <summary>Of the fields; each is made when it is first missing.</summary>
    private byte[]?[] _defaults = [];

    private byte[][] _names = [];
    private byte[] _default = [];
    private int _optional;
    private bool _isUnion;
    private bool _hasMask;
    private volatile int _holdsIndexes;

    public NodeId DataTypeId => dataTypeId;

    public bool IsComplete { get; private set; }

    public void Complete(StructureType kind, DefinedField[] fields)
    {
        _isUnion = kind is StructureType.Union or StructureType.UnionWithSubtypedValues;
        _hasMask = kind == StructureType.StructureWithOptionalFields;
        _fields = fields;
        _ordered = [.. fields.OrderBy(static field => field.IsOptional ? 0 : 1)];
        _positions = Array.ConvertAll(fields, field => Array.IndexOf(_ordered, field));
        _defaults = new byte[fields.Length][];
        _optional = fields.Count(static field => field.IsOptional);
        var names = _ordered.Select(static field => field.Name);
        if (_hasMask)
            names = names.Append("EncodingMask"u8.ToArray());
        else if (_isUnion)
            names = names.Append("SwitchField"u8.ToArray()).Append("Value"u8.ToArray());
        _names = [.. names];
        _default = _isUnion ? new byte[sizeof(uint)] : DefaultOf(fields);
        IsComplete = _optional <= 32 && _default.Length <= MaxDefaultBytes;
    }

    /// <summary>Bytes behind the last field are those of a newer definition: they are not shown in part.</summary>
    public bool TryWrite(UaJsonWriter writer, ReadOnlySpan<byte> body)
    {
        var reader = new UaBinaryReader(body);
        Skip(ref reader);
        if (reader.Failed || reader.Remaining != 0)
            return false;
        reader = new UaBinaryReader(body);
        Write(writer, ref reader);
        return true;
    }

    public ExtensionObject Read(ref UaJsonReader reader)
    {
        var body = reader.BeginObject() ? ReadBody(ref reader) : null;
        return reader.Failed ? default : new ExtensionObject(encodingId, body);
    }

    /// <summary>Checks the bytes. Errors: the reader's status.</summary>
    public void Skip(ref UaBinaryReader reader)
    {
        if (!reader.TryEnter())
            return;
        if (_isUnion)
        {
            var chosen = reader.ReadSwitchField(_fields.Length);
            if (chosen != 0)
                _fields[chosen - 1].Skip(ref reader);
        }
        else
        {
            var mask = _hasMask ? reader.ReadOptionalFieldMask(_optional) : 0;
            var bit = 0;
            foreach (var field in _fields)
            {
                if (!field.IsOptional || (mask & (1u << bit++)) != 0)
                    field.Skip(ref reader);
            }
        }

        reader.Leave();
    }

    /// <summary>Whether a value can hold a namespace index.</summary>
    public bool HoldsIndexes
    {
        get
        {
            // Asked of complete structures, whose fields stay as they are.
            if (_holdsIndexes == 0)
                _holdsIndexes = FindsIndexes([]) ? 1 : -1;
            return _holdsIndexes > 0;
        }
    }

    public bool TryMap(ReadOnlySpan<byte> body, IContentMapper mapper, out byte[] mapped)
    {
        mapped = [];
        var reader = new UaBinaryReader(body, DecodingLimits.PassThrough);
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        if (HoldsIndexes)
        {
            Map(ref reader, ref writer, mapper);
        }
        else
        {
            Skip(ref reader);
            writer.WriteRaw(body);
        }

        writer.Complete();
        if (reader.Failed || writer.Failed || reader.Remaining != 0)
            return false;
        mapped = buffer.WrittenSpan.ToArray();
        return true;
    }

    /// <summary>Copies the structure, with other ids in it. Errors: the reader's status.</summary>
    public void Map(ref UaBinaryReader reader, ref UaBinaryWriter writer, IContentMapper mapper)
    {
        if (!reader.TryEnter())
            return;
        if (_isUnion)
        {
            var chosen = reader.ReadSwitchField(_fields.Length);
            writer.WriteUInt32(chosen);
            if (chosen != 0)
                _fields[chosen - 1].Map(ref reader, ref writer, mapper);
        }
        else
        {
            var mask = _hasMask ? reader.ReadOptionalFieldMask(_optional) : 0;
            if (_hasMask)
                writer.WriteUInt32(mask);
            var bit = 0;
            foreach (var field in _fields)
            {
                if (!field.IsOptional || (mask & (1u << bit++)) != 0)
                    field.Map(ref reader, ref writer, mapper);
            }
        }

        reader.Leave();
    }

    /// <param name="seen">A structure may contain itself.</param>
    internal bool FindsIndexes(HashSet<DefinedStructure> seen) =>
        seen.Add(this) && Array.Exists(_fields, field => field.FindsIndexes(seen));

    /// <summary>Writes bytes that were checked before.</summary>
    public void Write(UaJsonWriter writer, ref UaBinaryReader reader)
    {
        if (_isUnion)
        {
            var chosen = reader.ReadUInt32();
            writer.BeginUnion(chosen);
            if (chosen != 0)
            {
                var field = _fields[chosen - 1];
                field.Write(writer, writer.UnionFieldName(field.Name), ref reader);
            }

            writer.EndUnion();
            return;
        }

        writer.BeginStructure();
        var mask = _hasMask ? reader.ReadUInt32() : 0;
        if (_hasMask)
            writer.WriteEncodingMask(mask);
        var bit = 0;
        foreach (var field in _fields)
        {
            if (!field.IsOptional || (mask & (1u << bit++)) != 0)
                field.Write(writer, field.Name, ref reader);
        }

        writer.EndObject();
    }

    /// <summary>Returns the value in UA Binary; of NULL the default.</summary>
    public byte[] ReadInline(ref UaJsonReader reader)
    {
        if (reader.IsNull)
            return Default();
        if (!reader.TryEnter() || !reader.BeginObject())
            return [];
        var body = ReadBody(ref reader);
        reader.Leave();
        return body;
    }

    /// <summary>In UA Binary.</summary>
    public byte[] Default() => _default;

    private byte[] DefaultOf(DefinedField[] fields) =>
    [
        .. new byte[_hasMask ? sizeof(uint) : 0],
        .. fields.Where(static field => !field.IsOptional).SelectMany(static field => field.Default()),
    ];

    private byte[] ReadBody(ref UaJsonReader reader)
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        if (_isUnion)
        {
            var union = UnionMembers.Begin(ref reader, _names);
            writer.WriteUInt32(union.SwitchField);
            if (union.SwitchField != 0)
            {
                var field = _fields[union.SwitchField - 1];
                writer.WriteRaw(union.HasValue ? field.Read(ref reader) : field.Default());
            }

            union.End(ref reader);
        }
        else
        {
            var values = new byte[_fields.Length][];
            var present = ReadFields(ref reader, values);
            if (_hasMask)
                writer.WriteUInt32(present);
            for (var i = 0; i < _fields.Length; i++)
            {
                var (field, position) = (_fields[i], _positions[i]);
                if (!field.IsOptional || (present & (1u << position)) != 0)
                    writer.WriteRaw(values[position] ?? (_defaults[i] ??= field.Default()));
            }
        }

        writer.Complete();
        return DefinedField.Take(ref reader, writer.Status, buffer);
    }

    /// <summary>Returns the mask of the present optional fields.</summary>
    private uint ReadFields(ref UaJsonReader reader, byte[]?[] values)
    {
        uint? mask = null;
        var read = 0UL;
        while (reader.NextField(_names, ref read, out var member, tellsNames: false))
        {
            if (member < values.Length)
                values[member] = _ordered[member].Read(ref reader);
            else
                mask = reader.ReadUInt32();
        }

        return _hasMask ? reader.PresentFields(read, mask, _optional) : 0;
    }
}
