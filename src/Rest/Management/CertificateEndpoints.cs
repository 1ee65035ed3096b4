using System.Globalization;
using System.Text;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Lists;
using Gateway.Rest.Routing;
using Gateway.Server.Audit;
using Gateway.Server.Management;
using Gateway.Transport.Certificates.Inventory;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.WebUtilities;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary><c>GET /certificates</c>, <c>GET /certificates/{thumbprint}</c>, <c>POST …/trust</c>, <c>POST …/reject</c>,
/// <c>DELETE /certificates/{thumbprint}</c>. Thread-safe.</summary>
internal sealed class CertificateEndpoints(
    CertificateInventory certificates, SessionDirectory sessions, OperationAudit audit, ManagementRequests requests,
    TimeProvider time)
{
    private const string ExpectedStore = "store: expected own, rejected, trusted, issuer, trustedUser or issuerUser";
    private const string ExpectedAs = "as: expected application or user";
    private const int ThumbprintLength = 40;

    private static readonly Dictionary<string, CertificateStore> Stores = Enum.GetValues<CertificateStore>()
        .ToDictionary(CertificateInventory.NameOf, static store => store, StringComparer.Ordinal);

    private readonly Columns<CertificateEntry> _columns = new(
        Columns<CertificateEntry>.Text("thumbprint", static one => one.Thumbprint),
        Columns<CertificateEntry>.Text("store", static one => CertificateInventory.NameOf(one.Store)),
        Columns<CertificateEntry>.Text("file", static one => one.File),
        Columns<CertificateEntry>.Text("subject", static one => one.Subject),
        Columns<CertificateEntry>.Text("issuer", static one => one.Issuer),
        Columns<CertificateEntry>.Text("applicationUri", static one => one.ApplicationUri),
        Columns<CertificateEntry>.Flag("authority", static one => one.IsAuthority),
        Columns<CertificateEntry>.Time("notBefore", static one => one.NotBefore.UtcDateTime),
        Columns<CertificateEntry>.Time("notAfter", static one => one.NotAfter.UtcDateTime),
        Columns<CertificateEntry>.Number(
            "expiresInDays", one => (long)Math.Floor((one.NotAfter - time.GetUtcNow()).TotalDays)),
        Columns<CertificateEntry>.Text("reason", static one => one.Reason),
        Columns<CertificateEntry>.Text("role", static one => one.Rejection?.Role.ToString().ToLowerInvariant()),
        Columns<CertificateEntry>.Text("address", static one => one.Rejection?.Address),
        Columns<CertificateEntry>.Text("upstream", static one => one.Rejection?.Upstream),
        Columns<CertificateEntry>.Time("rejectedAt", static one => one.Store == CertificateStore.Rejected
            ? (one.Rejection?.Last.At ?? one.WrittenAt).UtcDateTime
            : null),
        Columns<CertificateEntry>.Time("firstRejectedAt", static one => one.Rejection?.First.UtcDateTime),
        Columns<CertificateEntry>.NumberIfAny("rejections", static one => one.Rejection?.Last.Count))
    {
        IsTagged = true,
    };

    public IEnumerable<RestRoute> Routes =>
    [
        new("GET", "/certificates", ListAsync) { Operations = [CertificatesApi.List] },
        new("GET", "/certificates/{thumbprint}", GetAsync) { Operations = [CertificatesApi.Get] },
        new("POST", "/certificates/{thumbprint}/trust", TrustAsync) { Operations = [CertificatesApi.Trust] },
        new("POST", "/certificates/{thumbprint}/reject", RejectAsync) { Operations = [CertificatesApi.Reject] },
        new("DELETE", "/certificates/{thumbprint}", DeleteAsync) { Operations = [CertificatesApi.Delete] },
    ];

    private Task ListAsync(HttpContext context)
    {
        CertificateStore? asked = null;
        if (context.Request.Query["store"].ToString() is { Length: > 0 } name)
        {
            if (!Stores.TryGetValue(name, out var store))
                return Manage(context, _ => Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, ExpectedStore));
            asked = store;
        }

        return requests.ListAsync(
            context, GatewayPermission.ManageCertificates, "certificates", _columns, page => ReadPage(asked, page));
    }

    private Task GetAsync(HttpContext context) => Manage(context, async caller =>
    {
        var found = await Task.Run(() => Find(context), context.RequestAborted).ConfigureAwait(false);
        if (_columns.Choose(context.Request, caller) is not { } chosen)
            await Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, _columns.Expected).ConfigureAwait(false);
        else if (found is null)
            await AnswerAsync(context, CertificateMove.Missing).ConfigureAwait(false);
        else
            await requests.AnswerAsync(context, found, chosen).ConfigureAwait(false);
    });

    private Task TrustAsync(HttpContext context) => Manage(context, async caller =>
    {
        var kind = context.Request.Query["as"].ToString();
        if (kind is not ("" or "application" or "user"))
        {
            await Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, ExpectedAs).ConfigureAwait(false);
            return;
        }

        CertificateEntry? entry = null;
        var thumbprint = ThumbprintOf(context);
        // Not cut off by a client that goes: the change and its audit line belong together.
        var result = await Task.Run(() =>
        {
            var moved = certificates.Trust(thumbprint, kind.Length == 0 ? null : kind == "user", out entry);
            Audit(caller, "trusted", thumbprint, moved, entry);
            return moved;
        }).ConfigureAwait(false);
        await AnswerAsync(context, caller, result, entry).ConfigureAwait(false);
    });

    private Task RejectAsync(HttpContext context) => Manage(context, async caller =>
    {
        CertificateEntry? entry = null;
        var thumbprint = ThumbprintOf(context);
        var result = await Task.Run(() =>
        {
            var moved = certificates.Reject(thumbprint, "an operator has rejected it", out entry);
            Audit(caller, "rejected", thumbprint, moved, entry);
            EndUser(caller, thumbprint, moved);
            return moved;
        }).ConfigureAwait(false);
        await AnswerAsync(context, caller, result, entry).ConfigureAwait(false);
    });

    private Task DeleteAsync(HttpContext context) => Manage(context, async caller =>
    {
        var thumbprint = ThumbprintOf(context);
        var result = await Task.Run(() =>
        {
            var deleted = certificates.Delete(thumbprint, out var was);
            Audit(caller, "deleted", thumbprint, deleted, was);
            EndUser(caller, thumbprint, deleted);
            return deleted;
        }).ConfigureAwait(false);
        if (result == CertificateMove.Done)
            context.Response.StatusCode = Microsoft.AspNetCore.Http.StatusCodes.Status204NoContent;
        else
            await AnswerAsync(context, result).ConfigureAwait(false);
    });

    private Task Manage(HttpContext context, Func<Caller, Task> work) =>
        requests.RunAsync(context, GatewayPermission.ManageCertificates, work);

    private (IReadOnlyList<CertificateEntry>? Entries, string? Next) ReadPage(CertificateStore? of, PageQuery page)
    {
        if (!TryDecode(page.Cursor, out var behind))
            return default;
        var entries = new List<CertificateEntry>();
        var last = certificates.Read(of, behind, page.Limit, entries);
        return (entries, last is null ? null : WebEncoders.Base64UrlEncode(Encoding.UTF8.GetBytes(last)));
    }

    private CertificateEntry? Find(HttpContext context) =>
        ThumbprintOf(context) is { Length: > 0 } thumbprint
            ? certificates.Find(thumbprint) is [var first, ..] ? first : null
            : null;

    /// <summary>Sessions of applications end with their channels; a user's has to be ended itself (R31).</summary>
    private void EndUser(Caller caller, string thumbprint, CertificateMove result)
    {
        if (result == CertificateMove.Done)
            sessions.EndOfUser(thumbprint, caller);
    }

    private void Audit(
        Caller caller, string verb, string thumbprint, CertificateMove result, CertificateEntry? entry)
    {
        if (result == CertificateMove.Missing)
            return;
        var status = result == CertificateMove.Done ? StatusCode.Good : new StatusCode(StatusCodes.BadInvalidState);
        var subject = Codec.Text.PeerText.Escape(entry?.Subject);
        var place = entry is null ? "" : $" in {CertificateInventory.NameOf(entry.Store)}";
        audit.Managed(
            AuditEvent.CertificateMoved, caller, status,
            result == CertificateMove.Done
                ? $"{verb} {thumbprint} \"{subject}\"{place}"
                : $"{thumbprint} was not {verb}: {result}");
    }

    /// <summary>The entry, or the problem.</summary>
    public Task AnswerAsync(HttpContext context, Caller caller, CertificateMove result, CertificateEntry? entry)
    {
        if (result != CertificateMove.Done || entry is null)
            return AnswerAsync(context, result == CertificateMove.Done ? CertificateMove.Missing : result);
        return _columns.Choose(context.Request, caller) is { } chosen
            ? requests.AnswerAsync(context, entry, chosen)
            : Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, _columns.Expected);
    }

    public static Task AnswerAsync(HttpContext context, CertificateMove result) => result switch
    {
        CertificateMove.NotOne => Problem.WriteAsync(
            context, StatusCodes.BadInvalidArgument,
            "expected one certificate, or one revocation list, in PEM or in Base64 of DER"),
        CertificateMove.HasKey => Problem.WriteAsync(
            context, StatusCodes.BadInvalidArgument,
            "it has a private key: upload the certificate alone, and keep the key where it was made"),
        CertificateMove.NoIssuer => Problem.WriteAsync(
            context, 409, "The gateway does not have the certificate of its issuer", StatusCodes.BadInvalidState,
            "upload the authority's certificate to trusted; a certificate that has signed itself has no issuer"),
        CertificateMove.IsOwn => Problem.WriteAsync(
            context, 409, "The gateway's own certificate stays where it is", StatusCodes.BadInvalidState,
            "replace the files in own/certs and own/private, and start the gateway again"),
        CertificateMove.InBundle => Problem.WriteAsync(
            context, 409, "Its file holds several certificates", StatusCodes.BadInvalidState,
            "split the file: one certificate in each"),
        CertificateMove.Failed => Problem.WriteAsync(
            context, 500, "The PKI folders cannot be changed", StatusCodes.BadResourceUnavailable,
            "the gateway's log says why"),
        _ => Problem.WriteAsync(
            context, 404, "No folder holds such a certificate", StatusCodes.BadNotFound,
            "expected its thumbprint, 40 hexadecimal digits, as /certificates lists it"),
    };

    /// <summary>Empty: it cannot be one.</summary>
    public static string ThumbprintOf(HttpContext context)
    {
        var text = (string?)context.Request.RouteValues["thumbprint"] ?? "";
        return text.Length == ThumbprintLength && text.All(char.IsAsciiHexDigit)
            ? text.ToUpper(CultureInfo.InvariantCulture)
            : "";
    }

    private static bool TryDecode(string cursor, out string text)
    {
        text = "";
        try
        {
            text = Encoding.UTF8.GetString(WebEncoders.Base64UrlDecode(cursor));
            return true;
        }
        catch (FormatException)
        {
            return false;
        }
    }
}
