using System.Collections.Frozen;
using Gateway.Codec.Binary;
using Gateway.Codec.Json.Transcoding;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json.Definitions;

/// <summary>One field of a structure that a DataTypeDefinition defines. Immutable. Threads: any.</summary>
/// <param name="name">In UTF-8.</param>
/// <param name="type">On the wire.</param>
internal sealed class DefinedField(byte[] name, BuiltInType type)
{
    public byte[] Name => name;

    /// <summary>−1 for one value, 1 for an array, more for a matrix.</summary>
    public int Rank { get; init; } = -1;

    public bool IsOptional { get; init; }

    /// <summary>A structure without an ExtensionObject around it; null: none.</summary>
    public DefinedStructure? Inline { get; init; }

    /// <summary>The names of an enumeration; null: the field is none.</summary>
    public FrozenDictionary<int, string?>? Names { get; init; }

    private bool IsArray => Rank > 0;

    /// <summary>Checks the bytes. Errors: the reader's status.</summary>
    public void Skip(ref UaBinaryReader reader)
    {
        if (!IsArray)
        {
            SkipOne(ref reader);
            return;
        }

        if (Inline is null && Rank == 1)
        {
            ValueSkip.Elements(ref reader, type);
            return;
        }

        var count = Rank == 1 ? reader.ReadArrayLength(1) : DefinedMatrix.SkipDimensions(ref reader, Rank);
        for (var i = 0; i < count && !reader.Failed; i++)
            SkipOne(ref reader);
    }

    /// <summary>Whether values can hold a namespace index.</summary>
    public bool FindsIndexes(HashSet<DefinedStructure> seen) =>
        Inline is null ? ContentMapping.HoldsIndexes(type) : Inline.FindsIndexes(seen);

    /// <summary>Copies the field, with other ids in it. Errors: the reader's status.</summary>
    public void Map(ref UaBinaryReader reader, ref UaBinaryWriter writer, IContentMapper mapper)
    {
        var start = reader.Position;
        if (!(Inline is null ? ContentMapping.HoldsIndexes(type) : Inline.HoldsIndexes))
        {
            Skip(ref reader);
            writer.WriteRaw(reader.Slice(start, reader.Position));
            return;
        }

        var count = Rank switch
        {
            1 => reader.ReadArrayLength(1),
            > 1 => DefinedMatrix.SkipDimensions(ref reader, Rank),
            _ => 1,
        };
        if (IsArray)
            writer.WriteRaw(reader.Slice(start, reader.Position));
        for (var i = 0; i < count && !reader.Failed; i++)
        {
            if (Inline is null)
                ContentMapping.One(ref reader, ref writer, type, mapper);
            else
                Inline.Map(ref reader, ref writer, mapper);
        }
    }

    /// <summary>Writes bytes that were checked before.</summary>
    public void Write(UaJsonWriter writer, scoped ReadOnlySpan<byte> shownName, ref UaBinaryReader reader)
    {
        var isDefault = IsDefault(reader);
        if ((isDefault && IsOmittedStatus(writer, shownName)) || !writer.BeginField(shownName, isDefault))
        {
            Skip(ref reader);
            return;
        }

        if (!IsArray)
        {
            WriteOne(writer, ref reader);
            return;
        }

        if (Rank > 1)
        {
            DefinedMatrix.Write(writer, this, ref reader);
            return;
        }

        var count = reader.ReadInt32();
        if (count < 0)
        {
            writer.WriteNull();
            return;
        }

        writer.Json.WriteStartArray();
        for (var i = 0; i < count; i++)
            WriteOne(writer, ref reader);
        writer.Json.WriteEndArray();
    }

    /// <summary>Returns the value in UA Binary.</summary>
    public byte[] Read(ref UaJsonReader reader)
    {
        if (Rank > 1)
            return DefinedMatrix.Read(ref reader, this);
        if (Rank == 1)
            return Encode(ref reader, reader.IsNull ? null : ReadRow(ref reader));
        if (Inline is not null)
            return Inline.ReadInline(ref reader);
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        if (Names is not null)
            writer.WriteInt32(EnumerationJson.ReadNumber(ref reader));
        else if (type == BuiltInType.Variant)
            writer.WriteVariant(reader.ReadVariant());
        else
            VariantScalarBinary.Write(ref writer, VariantScalarJson.Read(ref reader, type));
        writer.Complete();
        return Take(ref reader, writer.Status, buffer);
    }

    /// <summary>The array that the reader stands on; null after an error.</summary>
    public Array? ReadRow(ref UaJsonReader reader)
    {
        if (Inline is not null)
            return ArrayJson.ReadEach(ref reader, Inline.ReadInline);
        return Names is not null
            ? ArrayJson.ReadEach(ref reader, EnumerationJson.ReadNumber)
            : ArrayJson.Read(ref reader, type);
    }

    /// <summary>In UA Binary, from the length on.</summary>
    /// <param name="reader">For errors.</param>
    /// <param name="row">As <see cref="ReadRow"/> has read it.</param>
    public byte[] Encode(ref UaJsonReader reader, Array? row)
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        if (Inline is null)
        {
            writer.WriteArray(type, row);
        }
        else
        {
            writer.WriteInt32(row?.Length ?? -1);
            foreach (var element in row as byte[][] ?? [])
                writer.WriteRaw(element);
        }

        writer.Complete();
        return Take(ref reader, writer.Status, buffer);
    }

    /// <summary>In UA Binary.</summary>
    public byte[] Default()
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        if (IsArray)
            writer.WriteInt32(-1);
        else if (Inline is not null)
            writer.WriteRaw(Inline.Default());
        else if (type == BuiltInType.Variant)
            writer.WriteVariant(default);
        else
            VariantScalarBinary.Write(ref writer, VariantScalarJson.Default(type));
        writer.Complete();
        return buffer.WrittenSpan.ToArray();
    }

    /// <summary>The bytes of the value that was read; charges their memory.</summary>
    public static byte[] Take(ref UaJsonReader reader, StatusCode written, PooledBuffer buffer)
    {
        if (written.IsBad)
            reader.Fail(written, "the value is too large");
        return reader.Failed || !reader.TryCharge(DecodedSize.OfArray<byte>(buffer.Length))
            ? []
            : buffer.WrittenSpan.ToArray();
    }

    /// <summary>As <see cref="FieldJson"/> has it of a StatusCode.</summary>
    private bool IsOmittedStatus(UaJsonWriter writer, scoped ReadOnlySpan<byte> shownName) =>
        type == BuiltInType.StatusCode && !IsArray && !shownName.IsEmpty &&
        StatusCodeJson.IsOmitted(writer, StatusCode.Good);

    private void SkipOne(ref UaBinaryReader reader)
    {
        if (Inline is null)
            ValueSkip.Value(ref reader, type);
        else
            Inline.Skip(ref reader);
    }

    /// <summary>Writes bytes that were checked before.</summary>
    public void WriteOne(UaJsonWriter writer, ref UaBinaryReader reader)
    {
        if (Names is not null)
        {
            var value = reader.ReadInt32();
            writer.WriteEnumeration(value, Names.GetValueOrDefault(value));
        }
        else if (Inline is null)
        {
            ValueTranscoding.Write(writer, ref reader, type);
        }
        else if (writer.TryEnter())
        {
            Inline.Write(writer, ref reader);
            writer.Leave();
        }
        else
        {
            writer.WriteNull();
            Inline.Skip(ref reader);
        }
    }

    /// <summary>The same that <see cref="FieldJson"/> says of objects.</summary>
    private bool IsDefault(UaBinaryReader reader)
    {
        if (IsArray)
            return reader.ReadInt32() < 0;
        if (Inline is not null)
            return false;
        var fixedBytes = type == BuiltInType.DateTime ? 0 : ValueSkip.FixedBytes(type);
        if (fixedBytes > 0)
            return reader.TryTake(fixedBytes, out var bytes) && !bytes.ContainsAnyExcept((byte)0);
        return type == BuiltInType.Variant
            ? (reader.ReadByte() & 0x3F) == 0
            : ValueTranscoding.IsNull(reader, type);
    }
}
