using System.Buffers;
using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Text;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>
/// Writes OPC UA JSON through one pooled Utf8JsonWriter. Errors stick: above the limit of bytes or of depth the rest of
/// the text is dropped and <see cref="Status"/> is Bad_EncodingLimitsExceeded. Owner: its renter, one thread at a time,
/// until <see cref="Return"/>. A writer of secrets clears its bytes. Allocates nothing for a message. Source: Part 6
/// §5.4.
/// </summary>
public sealed class UaJsonWriter : IDisposable
{
    public const int DefaultLimitBytes = 64 * 1024 * 1024;

    /// <summary>Above this length the text is flushed to the output at the end of an object.</summary>
    private const int FlushBytes = 16 * 1024;

    /// <summary>Every integer up to this one has a Double of its own.</summary>
    private const long MaxExactInteger = 1L << 53;

    /// <summary>Never reached: each level of a value is an object, around at most as many arrays as a matrix may have
    /// dimensions.</summary>
    private const int MaxJsonDepth = 10_000;

    [ThreadStatic]
    private static UaJsonWriter? t_kept;

    [ThreadStatic]
    private static UaJsonWriter? t_keptForSecrets;

    private readonly bool _secret;
    private readonly JsonBuffer _buffer;
    private readonly RecentTimeTexts _times = new();
    private PooledBuffer? _scratch;
    private IBufferWriter<byte>? _output;
    private NodeId _typeOfNext;
    private int _depth;

    private UaJsonWriter(bool secret)
    {
        _secret = secret;
        _buffer = new JsonBuffer(secret);
        // The text is served as application/json and never put into HTML, so only characters that JSON forbids are
        // escaped.
        Json = new Utf8JsonWriter(_buffer, new JsonWriterOptions
        {
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
            MaxDepth = MaxJsonDepth,
            SkipValidation = true,
        });
    }

    /// <summary>Holds a body until it is written as text.</summary>
    internal PooledBuffer Scratch => _scratch ??= new PooledBuffer(secret: _secret);

    /// <summary>True if no written byte may stay in memory.</summary>
    internal bool IsSecret => _secret;

    /// <summary>It may change between two values.</summary>
    public JsonFormat Format { get; set; } = JsonFormat.Compact;

    /// <summary>A reader knows it of the next value: an ExtensionObject of this DataType has no type id. Of its
    /// elements, if it is an array, but not of what they contain. Null: of none.</summary>
    public NodeId KnownDataType { get; set; }

    /// <summary>A value has more levels than the limit; the rest of the text is whole.</summary>
    public bool IsTooDeep { get; private set; }

    /// <summary>For everything around the values: the response's own objects, arrays and names.</summary>
    public Utf8JsonWriter Json { get; }

    /// <summary>Good or Bad_EncodingLimitsExceeded; Bad_OutOfMemory where the meter had no memory. After an error the
    /// text must not be used.</summary>
    public StatusCode Status => _buffer.WasRefused ? StatusCodes.BadOutOfMemory
        : Failed ? StatusCodes.BadEncodingLimitsExceeded : StatusCodes.Good;

    public bool Failed => IsTooDeep || _buffer.HasOverflowed;

    /// <summary>The text is whole and too long: an array of the pool had room. Later text may fail.</summary>
    public bool IsPastLimit => Length > _buffer.LimitBytes;

    /// <summary>The text since the last <see cref="Flush"/> to an output; valid until the next write.</summary>
    public ReadOnlySpan<byte> WrittenSpan
    {
        get
        {
            Json.Flush();
            return _buffer.WrittenSpan;
        }
    }

    /// <summary>As <see cref="WrittenSpan"/>, for an asynchronous send.</summary>
    public ReadOnlyMemory<byte> WrittenMemory
    {
        get
        {
            Json.Flush();
            return _buffer.WrittenMemory;
        }
    }

    /// <summary>Bytes of the text since the last <see cref="Flush"/> or <see cref="Forget"/>.</summary>
    public int Length => _buffer.Length + Json.BytesPending;

    /// <summary>Of the array that holds the text.</summary>
    public int CapacityBytes => _buffer.CapacityBytes;

    /// <summary>Each thread keeps one writer, and one more for secrets, and takes it out while it is in use.</summary>
    /// <param name="format">The encoding.</param>
    /// <param name="output">Takes large texts piece by piece; null: the writer holds all of it.</param>
    /// <param name="secret">Clear the bytes after each message.</param>
    /// <param name="limitBytes">The most bytes held at one time.</param>
    /// <param name="meter">Counts the memory of the text; null: nobody does.</param>
    public static UaJsonWriter Rent(
        JsonFormat format, IBufferWriter<byte>? output = null, bool secret = false, int limitBytes = DefaultLimitBytes,
        IBufferMeter? meter = null)
    {
        ref var kept = ref secret ? ref t_keptForSecrets : ref t_kept;
        var writer = kept ?? new UaJsonWriter(secret);
        kept = null;
        writer.Format = format;
        writer._output = output;
        writer._buffer.LimitBytes = limitBytes;
        writer._buffer.SetMeter(meter);
        return writer;
    }

    /// <summary>The writer and its text must not be used afterwards.</summary>
    public void Return()
    {
        Reset();
        _output = null;
        _buffer.SetMeter(null);
        ref var kept = ref _secret ? ref t_keptForSecrets : ref t_kept;
        if (kept is not null)
            Dispose();
        kept ??= this;
    }

    /// <summary>Instead of <see cref="Return"/>: the thread does not keep it.</summary>
    public void Dispose()
    {
        Json.Dispose();
        _buffer.Dispose();
        _scratch?.Dispose();
    }

    /// <summary>Empties it for the next message in the same format.</summary>
    public void Reset()
    {
        // Unflushed bytes lie behind the part that the buffer clears.
        if (_secret)
            Json.Flush();
        // The writer must release its memory before the buffer may return it to the pool.
        Json.Reset();
        _buffer.Reset();
        IsTooDeep = false;
        _typeOfNext = KnownDataType = default;
        _depth = 0;
    }

    /// <summary>Moves the text to the output, if there is one.</summary>
    public void Flush()
    {
        Json.Flush();
        if (_output is null)
            return;
        _output.Write(_buffer.WrittenSpan);
        _buffer.Empty();
    }

    /// <summary>Drops text that was already sent; later text continues behind it.</summary>
    public void Forget()
    {
        Json.Flush();
        _buffer.Empty();
    }

    public void StartObject() => Json.WriteStartObject();

    public void EndObject()
    {
        Json.WriteEndObject();
        if (_output is not null && _buffer.Length + Json.BytesPending > FlushBytes)
            Flush();
    }

    /// <summary>Starts a field of a structure. False: its value is the default, which this encoding omits; then the
    /// caller writes nothing. Source: Part 6 §5.4.6.</summary>
    public bool BeginField(JsonEncodedText name, bool isDefault)
    {
        if (isDefault && Format.OmitsDefaults)
            return false;
        Json.WritePropertyName(name);
        return true;
    }

    /// <summary>As <see cref="BeginField(JsonEncodedText, bool)"/>; an empty name writes none.</summary>
    public bool BeginField(ReadOnlySpan<byte> name, bool isDefault)
    {
        if (isDefault && Format.OmitsDefaults)
            return false;
        if (!name.IsEmpty)
            Json.WritePropertyName(name);
        return true;
    }

    /// <summary>Starts the object of a structure; <see cref="EndObject"/> ends it. The body of an ExtensionObject
    /// starts with its type id. In the deprecated encodings it lies inside the object that has the type id.</summary>
    public void BeginStructure()
    {
        StartObject();
        if (_typeOfNext.IsNull)
            return;
        ExtensionObjectJson.WriteTypeId(this, new JsonNodeId(_typeOfNext));
        _typeOfNext = default;
        if (Format.IsDeprecated)
            Json.WriteStartObject(JsonNames.Body);
    }

    public void WriteNull() => Json.WriteNullValue();

    public void WriteBoolean(bool value) => Json.WriteBooleanValue(value);

    public void WriteSByte(sbyte value) => Json.WriteNumberValue((int)value);

    public void WriteByte(byte value) => Json.WriteNumberValue((int)value);

    public void WriteInt16(short value) => Json.WriteNumberValue((int)value);

    public void WriteUInt16(ushort value) => Json.WriteNumberValue((int)value);

    public void WriteInt32(int value) => Json.WriteNumberValue(value);

    public void WriteUInt32(uint value) => Json.WriteNumberValue(value);

    public void WriteInt64(long value)
    {
        if (Format.WritesInt64AsNumbers && value is >= -MaxExactInteger and <= MaxExactInteger)
        {
            Json.WriteNumberValue(value);
            return;
        }

        Span<byte> text = stackalloc byte[20];
        value.TryFormat(text, out var length, provider: CultureInfo.InvariantCulture);
        Json.WriteStringValue(text[..length]);
    }

    public void WriteUInt64(ulong value)
    {
        if (Format.WritesInt64AsNumbers && value <= MaxExactInteger)
        {
            Json.WriteNumberValue(value);
            return;
        }

        Span<byte> text = stackalloc byte[20];
        value.TryFormat(text, out var length, provider: CultureInfo.InvariantCulture);
        Json.WriteStringValue(text[..length]);
    }

    public void WriteFloat(float value)
    {
        if (float.IsFinite(value))
            Json.WriteNumberValue(value);
        else
            WriteSpecial(value);
    }

    public void WriteDouble(double value)
    {
        if (double.IsFinite(value))
            Json.WriteNumberValue(value);
        else
            WriteSpecial(value);
    }

    public void WriteString(string? value) => WriteText(new JsonText(value));

    /// <summary>Clamped as in UA Binary, so that a value has one text whichever encoding it came in. The smallest value
    /// is NULL. Source: Part 6 §5.4.2.6.</summary>
    public void WriteDateTime(DateTime value)
    {
        var clamped = UaDateTime.FromWire(UaDateTime.ToWire(value));
        if (clamped == DateTime.MinValue)
            WriteNull();
        else if (clamped == DateTime.MaxValue)
            Json.WriteStringValue("9999-12-31T23:59:59Z"u8);
        else
            Json.WriteRawValue(_times.TextOf(clamped), skipInputValidation: true);
    }

    public void WriteGuid(Guid value)
    {
        if (value == Guid.Empty)
            WriteNull();
        else
            Json.WriteStringValue(value);
    }

    public void WriteByteString(byte[]? value)
    {
        if (value is null)
            WriteNull();
        else
            WriteByteString(value.AsSpan());
    }

    public void WriteByteString(ReadOnlySpan<byte> value)
    {
        if (value.Length <= JsonText.PieceLength)
        {
            Json.WriteBase64StringValue(value);
            return;
        }

        for (; value.Length > JsonText.PieceLength; value = value[JsonText.PieceLength..])
            Json.WriteBase64StringSegment(value[..JsonText.PieceLength], isFinalSegment: false);
        Json.WriteBase64StringSegment(value, isFinalSegment: true);
    }

    public void WriteXmlElement(XmlElement value) => WriteString(value.Value);

    public void WriteNodeId(NodeId value) => NodeIdJson.Write(this, new JsonNodeId(value));

    public void WriteExpandedNodeId(ExpandedNodeId value) => NodeIdJson.Write(this, new JsonNodeId(value));

    public void WriteStatusCode(StatusCode value) => StatusCodeJson.Write(this, value);

    public void WriteQualifiedName(QualifiedName value) =>
        QualifiedNameJson.Write(this, value.NamespaceIndex, new JsonText(value.Name));

    public void WriteLocalizedText(LocalizedText value) =>
        LocalizedTextJson.Write(this, new JsonText(value.Text), new JsonText(value.Locale));

    public void WriteExtensionObject(ExtensionObject value) => ExtensionObjectJson.Write(this, value);

    public void WriteDataValue(in DataValue value) => DataValueJson.Write(this, value);

    public void WriteVariant(in Variant value) => VariantJson.Write(this, value);

    /// <summary>The value of a Variant without its type; a matrix as arrays of arrays, NULL as null.</summary>
    public void WriteBareVariant(in Variant value) => VariantJson.WriteBare(this, value);

    public void WriteDiagnosticInfo(DiagnosticInfo? value) => DiagnosticInfoJson.Write(this, value);

    /// <summary>An array of a built-in type; null is NULL.</summary>
    public void WriteArray(BuiltInType type, Array? elements)
    {
        if (elements is null)
            WriteNull();
        else
            ArrayJson.Write(this, type, elements, 0, elements.Length);
    }

    /// <summary>A number; in Verbose and NonReversible <c>Name_Value</c>. Source: Part 6 §5.4.4.</summary>
    public void WriteEnumeration(int value, string? name) => EnumerationJson.WriteNumber(this, value, name);

    /// <summary>Enters a level of a recursive type. False above the limit (R01); the caller must still write some
    /// value.</summary>
    public bool TryEnter()
    {
        if (++_depth <= DecodingLimits.Default.MaxDepth)
            return true;
        _depth--;
        IsTooDeep = true;
        return false;
    }

    public void Leave() => _depth--;

    /// <summary>Whether a Variant or a DataValue at this level is written without its type.</summary>
    internal bool OmitsType => Format.OmitsTypes || (_depth == 0 && Format.OmitsOuterType);

    /// <summary>Whether an ExtensionObject at this level is written without its type.</summary>
    internal bool OmitsTypeId(NodeId dataTypeId) =>
        Format.OmitsTypes || (_depth == 1 && !KnownDataType.IsNull && KnownDataType == dataTypeId);

    /// <summary>Makes the next structure the body of an ExtensionObject; null: it is none.</summary>
    internal void SetTypeOfNext(NodeId dataTypeId) => _typeOfNext = dataTypeId;

    internal void WriteText(scoped JsonText text)
    {
        if (text.IsNull)
            WriteNull();
        else
            text.WriteTo(this);
    }

    private void WriteSpecial(double value) => Json.WriteStringValue(
        double.IsNaN(value) ? "NaN"u8 : value > 0 ? "Infinity"u8 : "-Infinity"u8);
}
