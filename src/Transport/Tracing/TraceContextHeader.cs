using System.Buffers.Binary;
using System.Diagnostics;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using KeyValuePair = Gateway.Codec.Structures.KeyValuePair;

namespace Gateway.Transport.Tracing;

/// <summary>
/// The trace context in the AdditionalHeader of a request: the parameter <c>SpanContext</c>, a SpanContextDataType.
/// Its TraceId has the 16 bytes of the trace's id in their order on the wire, its SpanId the 8 bytes as a little-endian
/// number, as the OPC Foundation's stacks write them. It has no place for the sampled flag, so the parameter
/// <c>traceparent</c>, the text of W3C's header, goes beside it and is preferred. Source: Part 26 §5.5.4.
/// </summary>
public static class TraceContextHeader
{
    /// <summary>A longer AdditionalHeader is not looked into: it is read on the connection's thread.</summary>
    public const int MaxBodyBytes = 4096;

    private const string SpanContextKey = "SpanContext";
    private const string TraceParentKey = "traceparent";

    private const uint ParametersId = 17537;
    private const uint SpanContextId = 19754;

    /// <summary>For the request that <paramref name="span"/> is about.</summary>
    public static ExtensionObject Of(Activity span)
    {
        ArgumentNullException.ThrowIfNull(span);
        Span<byte> trace = stackalloc byte[16];
        Span<byte> id = stackalloc byte[8];
        span.TraceId.CopyTo(trace);
        span.SpanId.CopyTo(id);
        return new ExtensionObject(new AdditionalParametersType
        {
            Parameters =
            [
                new KeyValuePair
                {
                    Key = new QualifiedName(SpanContextKey),
                    Value = Variant.FromStructure(new SpanContextDataType
                    {
                        TraceId = new Guid(trace),
                        SpanId = BinaryPrimitives.ReadUInt64LittleEndian(id),
                    }),
                },
                new KeyValuePair
                {
                    Key = new QualifiedName(TraceParentKey),
                    Value = new Variant(span.Id),
                },
            ],
        });
    }

    /// <summary>Default where there is none: a header that makes no sense traces nothing and refuses nothing.</summary>
    /// <param name="typeId">The header's encoding.</param>
    /// <param name="body">Its bytes.</param>
    /// <param name="limits">As for the request.</param>
    public static ActivityContext Read(NodeId typeId, ReadOnlySpan<byte> body, DecodingLimits limits)
    {
        if (typeId.NamespaceIndex != 0 || body.IsEmpty || body.Length > MaxBodyBytes)
            return default;
        var reader = new UaBinaryReader(body, limits);
        if (typeId.Numeric == SpanContextId)
        {
            var context = SpanContextDataType.Decode(ref reader);
            return reader.Failed ? default : Of(context);
        }

        if (typeId.Numeric != ParametersId)
            return default;
        var parameters = AdditionalParametersType.Decode(ref reader).Parameters;
        return reader.Failed || parameters is null ? default : Of(parameters);
    }

    private static ActivityContext Of(KeyValuePair[] parameters)
    {
        var found = default(ActivityContext);
        foreach (var parameter in parameters)
        {
            if (parameter.Key.Name == TraceParentKey &&
                ActivityContext.TryParse(parameter.Value.AsString(), null, isRemote: true, out var text))
                return text;
            if (parameter.Key.Name == SpanContextKey &&
                parameter.Value.AsStructure<SpanContextDataType>() is { } context)
                found = Of(context);
        }

        return found;
    }

    /// <summary>A client that sends it wants to be traced.</summary>
    private static ActivityContext Of(SpanContextDataType context)
    {
        if (context.TraceId == Guid.Empty || context.SpanId == 0)
            return default;
        Span<byte> trace = stackalloc byte[16];
        Span<byte> id = stackalloc byte[8];
        context.TraceId.TryWriteBytes(trace);
        BinaryPrimitives.WriteUInt64LittleEndian(id, context.SpanId);
        return new ActivityContext(
            ActivityTraceId.CreateFromBytes(trace), ActivitySpanId.CreateFromBytes(id), ActivityTraceFlags.Recorded,
            isRemote: true);
    }
}
