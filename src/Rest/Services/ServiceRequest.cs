using Gateway.Codec.Json;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;

namespace Gateway.Rest.Services;

/// <summary>A request that says itself which service it is for. Source: Part 6 §5.4.9, §G.3.</summary>
/// <param name="Message">As UA-TCP would carry it; its owner disposes it.</param>
internal sealed record ServiceRequest(PooledBuffer Message)
{
    private static readonly byte[][] Members = ["ServiceId"u8.ToArray(), "LocaleIds"u8.ToArray(), "Body"u8.ToArray()];
    private static readonly byte[][] TypeMembers =
        ["UaTypeId"u8.ToArray(), "TypeId"u8.ToArray(), "Body"u8.ToArray()];

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
            return result with { Status = StatusCodes.BadServiceUnsupported, Handle = RequestHandles.Of(text) };
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
        var (service, body, isOf104, problem) = FindType(calls, text);
        var encoding = isOf104 ? JsonEncoding.Reversible : JsonEncoding.Compact;
        var result = new ServiceRequest(message) { Form = ServiceForm.Message, Encoding = encoding };
        if (problem is not null)
            return result with { Status = StatusCodes.BadDecodingError, Problem = problem };
        if (ServiceRoutes.Find(service) is not { } route)
            return result with { Status = StatusCodes.BadServiceUnsupported, Handle = RequestHandles.Of(text) };
        var status = calls.Read(
            route, text[body], message, calls.FormatOf(encoding), turn, out var header, out problem,
            takesTypeId: !isOf104);
        return result with
        {
            Route = route,
            Token = header.AuthenticationToken,
            Handle = header.RequestHandle,
            Status = status,
            Problem = problem,
        };
    }

    /// <summary>The type, before anything is made of the fields. The body is that of edition 1.04, or all of the text.
    /// </summary>
    private static (NodeId Service, System.Range Body, bool IsOf104, string? Problem) FindType(
        ServiceCalls calls, ReadOnlySpan<byte> text)
    {
        var reader = new UaJsonReader(text, calls.FormatOf(JsonEncoding.Compact));
        System.Range current = default, deprecated = default, body = default;
        var seen = 0UL;
        reader.BeginObject();
        while (reader.NextMember(TypeMembers, ref seen, out var member, takesUnknown: true))
        {
            var value = reader.Skip();
            if (member == 0)
                current = value;
            else if (member == 1)
                deprecated = value;
            else if (member == 2)
                body = value;
        }

        var isOf104 = (seen & 1) == 0 && !reader.Failed;
        if (!reader.Failed && isOf104 && (seen & 0b110) != 0b110)
            reader.Expected("a member UaTypeId");
        reader.End();
        if (reader.Failed)
            return (default, default, isOf104, reader.Problem ?? "");
        var id = new UaJsonReader(
            text[isOf104 ? deprecated : current],
            calls.FormatOf(isOf104 ? JsonEncoding.Reversible : JsonEncoding.Compact));
        var service = id.ReadNodeId();
        return (service, isOf104 ? body : .., isOf104, id.Failed ? id.Problem ?? "" : null);
    }
}
