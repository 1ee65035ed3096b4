using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Rest.Services;

/// <summary>A request that says itself which service it is for. Source: Part 6 §5.4.9, §G.3.</summary>
/// <param name="Message">As UA-TCP would carry it; its owner disposes it.</param>
internal sealed record ServiceRequest(PooledBuffer Message)
{
    private static readonly byte[][] Members = ["ServiceId"u8.ToArray(), "LocaleIds"u8.ToArray(), "Body"u8.ToArray()];
    private static readonly byte[][] TypeMembers = ["UaTypeId"u8.ToArray()];

    public ServiceForm Form { get; private init; }

    /// <summary>Of the answer.</summary>
    public JsonEncoding Encoding { get; private init; }

    /// <summary>Null where the status is bad.</summary>
    public ServiceRoute? Route { get; private init; }

    /// <summary>The session's, or null.</summary>
    public NodeId Token { get; private init; }

    public uint Handle { get; private init; }

    /// <summary>Null: those of the connection.</summary>
    public string[]? Locales { get; private init; }

    /// <summary>Bad_DecodingError, Bad_ServiceUnsupported …</summary>
    public StatusCode Status { get; private init; }

    /// <summary>In words, harmless; null: the status says it all.</summary>
    public string? Problem { get; private init; }

    /// <summary><c>{"ServiceId":"i=629","LocaleIds":["en"],"Body":{…}}</c>, answered in Compact.</summary>
    public static ServiceRequest ReadEnvelope(
        ServiceCalls calls, ReadOnlySpan<byte> text, PooledBuffer message, in DecodeTurn turn)
    {
        var format = calls.FormatOf(JsonEncoding.Compact);
        var result = new ServiceRequest(message) { Form = ServiceForm.Envelope, Encoding = JsonEncoding.Compact };
        var reader = new UaJsonReader(text, format, calls.Decoding, turn.Meter);
        var (service, body, seen) = (default(NodeId), default(System.Range), 0UL);
        string?[]? locales = null;
        reader.BeginObject();
        while (reader.NextMember(Members, ref seen, out var member))
        {
            if (member == 0)
                service = reader.ReadNodeId();
            else if (member == 1)
                locales = reader.ReadArray<string?>(BuiltInType.String);
            else
                body = reader.Skip();
        }

        if (!reader.Failed && (seen & 0b101) != 0b101)
            reader.Expected("the members ServiceId and Body");
        reader.End();
        if (reader.Failed)
            return result with { Status = reader.Status, Problem = reader.Problem };
        if (ServiceRoutes.Find(service) is not { } route)
            return result with { Status = StatusCodes.BadServiceUnsupported };
        var status = calls.Read(route, text[body], message, format, turn, out var header, out var problem);
        return result with
        {
            Route = route,
            Token = header.AuthenticationToken,
            Handle = header.RequestHandle,
            Locales = locales is null ? null : [.. locales.OfType<string>()],
            Status = status,
            Problem = problem,
        };
    }

    /// <summary><c>{"UaTypeId":"i=629",…}</c>, answered in Compact, or <c>{"TypeId":…,"Body":{…}}</c> of edition 1.04,
    /// answered in its Reversible encoding.</summary>
    public static ServiceRequest ReadMessage(
        ServiceCalls calls, ReadOnlySpan<byte> text, PooledBuffer message, in DecodeTurn turn)
    {
        var encoding = IsOf104(text) ? JsonEncoding.Reversible : JsonEncoding.Compact;
        var result = new ServiceRequest(message) { Form = ServiceForm.Message, Encoding = encoding };
        var reader = new UaJsonReader(text, calls.FormatOf(encoding), calls.Decoding, turn.Meter);
        var request = reader.ReadExtensionObject();
        reader.End();
        if (reader.Failed)
            return result with { Status = reader.Status, Problem = reader.Problem };
        if (request.Body is not IServiceRequest service ||
            ServiceRoutes.Find(new NodeId(service.DataTypeId)) is not { } route)
            return result with { Status = StatusCodes.BadServiceUnsupported };
        var writer = new UaBinaryWriter(message);
        writer.WriteTypeId(service.BinaryEncodingId);
        service.Encode(ref writer);
        if (writer.Failed)
            return result with
            {
                Handle = service.RequestHeader.RequestHandle,
                Status = StatusCodes.BadRequestTooLarge,
            };
        writer.Complete();
        return result with
        {
            Route = route,
            Token = service.RequestHeader.AuthenticationToken,
            Handle = service.RequestHeader.RequestHandle,
        };
    }

    private static bool IsOf104(ReadOnlySpan<byte> text)
    {
        var reader = new UaJsonReader(text);
        var (seen, isTyped) = (0UL, false);
        reader.BeginObject();
        while (reader.NextMember(TypeMembers, ref seen, out var member, takesUnknown: true))
        {
            isTyped |= member == 0;
            reader.Skip();
        }

        return !isTyped && !reader.Failed;
    }
}
