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

    public bool IsArray { get; init; }

    public bool IsOptional { get; init; }

    /// <summary>A structure without an ExtensionObject around it; null: none.</summary>
    public DefinedStructure? Inline { get; init; }

    /// <summary>Of an enumeration; null: it is none.</summary>
    public FrozenDictionary<int, string?>? Names { get; init; }

    /// <summary>Checks the bytes. Errors: the reader's status.</summary>
    public void Skip(ref UaBinaryReader reader)
    {
        if (!IsArray)
        {
            SkipOne(ref reader);
            return;
        }

        if (Inline is null)
        {
            ValueSkip.Elements(ref reader, type);
            return;
        }

        var count = reader.ReadArrayLength(1);
        for (var i = 0; i < count && !reader.Failed; i++)
            Inline.Skip(ref reader);
    }

    /// <summary>Of bytes that were checked.</summary>
    public void Write(UaJsonWriter writer, scoped ReadOnlySpan<byte> shownName, ref UaBinaryReader reader)
    {
        if (!writer.BeginField(shownName, IsDefault(reader)))
        {
            Skip(ref reader);
            return;
        }

        if (!IsArray)
        {
            WriteOne(writer, ref reader);
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
        if (Inline is not null)
            return ReadStructures(ref reader, Inline);
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        if (Names is not null && IsArray)
        {
            writer.WriteBlittableArray(
                reader.IsNull ? null : ArrayJson.ReadEach(ref reader, EnumerationJson.ReadNumber));
        }
        else if (Names is not null)
        {
            writer.WriteInt32(EnumerationJson.ReadNumber(ref reader));
        }
        else if (IsArray)
        {
            writer.WriteArray(type, reader.IsNull ? null : ArrayJson.Read(ref reader, type));
        }
        else if (type == BuiltInType.Variant)
        {
            writer.WriteVariant(reader.ReadVariant());
        }
        else
        {
            VariantScalarBinary.Write(ref writer, VariantScalarJson.Read(ref reader, type));
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

    /// <summary>The bytes of what was read, charged.</summary>
    public static byte[] Take(ref UaJsonReader reader, StatusCode written, PooledBuffer buffer)
    {
        if (written.IsBad)
            reader.Fail(written, "the value is too large");
        return reader.Failed || !reader.TryCharge(DecodedSize.OfArray<byte>(buffer.Length))
            ? []
            : buffer.WrittenSpan.ToArray();
    }

    private byte[] ReadStructures(ref UaJsonReader reader, DefinedStructure structure)
    {
        if (!IsArray)
            return structure.ReadInline(ref reader);
        var elements = reader.IsNull ? null : ArrayJson.ReadEach(ref reader, structure.ReadInline);
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        writer.WriteInt32(elements?.Length ?? -1);
        foreach (var element in elements ?? [])
            writer.WriteRaw(element);
        writer.Complete();
        return Take(ref reader, writer.Status, buffer);
    }

    private void SkipOne(ref UaBinaryReader reader)
    {
        if (Inline is null)
            ValueSkip.Value(ref reader, type);
        else
            Inline.Skip(ref reader);
    }

    private void WriteOne(UaJsonWriter writer, ref UaBinaryReader reader)
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
