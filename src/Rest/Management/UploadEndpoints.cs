using System.Text;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Routing;
using Gateway.Server.Audit;
using Gateway.Transport.Certificates.Inventory;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary><c>POST /certificates</c>, <c>GET /certificates/{thumbprint}/file</c>, <c>POST …/trust-issuer</c>, and
/// the revocation lists: <c>GET</c>, <c>POST /revocation-lists</c>, <c>DELETE /revocation-lists/{id}</c>. Thread-safe.
/// </summary>
internal sealed class UploadEndpoints(
    CertificateEndpoints certificates, CertificateInventory inventory, CertificateUploads uploads,
    OperationAudit audit, ManagementRequests requests)
{
    private const string ExpectedStore = "store: expected trusted, issuer, trustedUser or issuerUser";
    private const string ExpectedFormat = "format: expected pem or der";

    private static readonly Dictionary<string, CertificateStore> Stores = Enum.GetValues<CertificateStore>()
        .Where(CertificateUploads.Takes)
        .ToDictionary(CertificateInventory.NameOf, static store => store, StringComparer.Ordinal);

    private static readonly Columns<RevocationEntry> ListColumns = new(
        Columns<RevocationEntry>.Text("id", static one => one.Id),
        Columns<RevocationEntry>.Text("store", static one => CertificateInventory.NameOf(one.Store)),
        Columns<RevocationEntry>.Text("file", static one => one.File),
        Columns<RevocationEntry>.Text("issuer", static one => one.Issuer),
        Columns<RevocationEntry>.Time("thisUpdate", static one => one.ThisUpdate.UtcDateTime),
        Columns<RevocationEntry>.Time("nextUpdate", static one => one.NextUpdate?.UtcDateTime),
        Columns<RevocationEntry>.Number("revoked", static one => one.Revoked));

    public IEnumerable<RestRoute> Routes =>
    [
        new("POST", "/certificates", AddAsync) { Operations = [UploadsApi.Add] },
        new("GET", "/certificates/{thumbprint}/file", DownloadAsync) { Operations = [UploadsApi.Download] },
        new("POST", "/certificates/{thumbprint}/trust-issuer", TrustIssuerAsync)
        {
            Operations = [UploadsApi.TrustIssuer],
        },
        new("GET", "/revocation-lists", ListAsync) { Operations = [UploadsApi.Lists] },
        new("POST", "/revocation-lists", AddListAsync) { Operations = [UploadsApi.AddList] },
        new("DELETE", "/revocation-lists/{id}", DeleteListAsync) { Operations = [UploadsApi.DeleteList] },
    ];

    private Task AddAsync(HttpContext context) => TakeAsync(context, "certificate", async (caller, store, content) =>
    {
        CertificateEntry? entry = null;
        // Not cut off by a client that goes: the change and its audit line belong together.
        var result = await Task.Run(() =>
        {
            var added = uploads.Add(content, store, out entry);
            Audit(caller, added, $"uploaded {entry?.Thumbprint} \"{PeerText.Escape(entry?.Subject)}\" to", store);
            return added;
        }).ConfigureAwait(false);
        if (result == CertificateMove.Done)
            context.Response.StatusCode = Microsoft.AspNetCore.Http.StatusCodes.Status201Created;
        await certificates.AnswerAsync(context, caller, result, entry).ConfigureAwait(false);
    });

    private Task DownloadAsync(HttpContext context) => requests.RunAsync(
        context, GatewayPermission.ManageCertificates, async _ =>
        {
            var format = context.Request.Query["format"].ToString();
            if (format is not ("" or "pem" or "der"))
            {
                await Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, ExpectedFormat)
                    .ConfigureAwait(false);
                return;
            }

            var thumbprint = CertificateEndpoints.ThumbprintOf(context);
            var found = await Task.Run(() => inventory.Find(thumbprint), context.RequestAborted)
                .ConfigureAwait(false);
            if (found.Count == 0)
            {
                await CertificateEndpoints.AnswerAsync(context, CertificateMove.Missing).ConfigureAwait(false);
                return;
            }

            var isPem = format != "der";
            var response = context.Response;
            // The thumbprint names the file: nothing of the certificate's own words gets into a header.
            response.Headers.ContentDisposition =
                $"attachment; filename=\"{found[0].Thumbprint}.{(isPem ? "pem" : "der")}\"";
            response.ContentType = isPem ? "application/x-pem-file" : "application/pkix-cert";
            ReadOnlyMemory<byte> content = isPem ? Encoding.ASCII.GetBytes(found[0].ToPem()) : found[0].Der;
            response.ContentLength = content.Length;
            await response.Body.WriteAsync(content, context.RequestAborted).ConfigureAwait(false);
        });

    private Task TrustIssuerAsync(HttpContext context) => requests.RunAsync(
        context, GatewayPermission.ManageCertificates, async caller =>
        {
            CertificateEntry? entry = null;
            var thumbprint = CertificateEndpoints.ThumbprintOf(context);
            var result = await Task.Run(() =>
            {
                var moved = inventory.TrustIssuer(thumbprint, out entry);
                if (moved != CertificateMove.Missing)
                    Audit(
                        caller, moved,
                        $"trusted {entry?.Thumbprint} \"{PeerText.Escape(entry?.Subject)}\" as the issuer of "
                        + $"{thumbprint} in", entry?.Store ?? CertificateStore.Trusted);
                return moved;
            }).ConfigureAwait(false);
            await certificates.AnswerAsync(context, caller, result, entry).ConfigureAwait(false);
        });

    /// <summary>As many as an operator has put there: on one page.</summary>
    private Task ListAsync(HttpContext context) => requests.ListAsync(
        context, GatewayPermission.ManageCertificates, "lists", ListColumns,
        page => page.Cursor.Length > 0 ? default : (uploads.ReadLists(), null));

    private Task AddListAsync(HttpContext context) => TakeAsync(context, "list", async (caller, store, content) =>
    {
        RevocationEntry? entry = null;
        var result = await Task.Run(() =>
        {
            var added = uploads.AddList(content, store, out entry);
            Audit(caller, added, $"uploaded a revocation list of \"{PeerText.Escape(entry?.Issuer)}\" to", store);
            return added;
        }).ConfigureAwait(false);
        if (result != CertificateMove.Done || entry is null)
        {
            await CertificateEndpoints.AnswerAsync(context, result).ConfigureAwait(false);
            return;
        }

        context.Response.StatusCode = Microsoft.AspNetCore.Http.StatusCodes.Status201Created;
        await requests.AnswerAsync(context, entry, ListColumns.All).ConfigureAwait(false);
    });

    private Task DeleteListAsync(HttpContext context) => requests.RunAsync(
        context, GatewayPermission.ManageCertificates, async caller =>
        {
            var id = (string?)context.Request.RouteValues["id"] ?? "";
            var result = await Task.Run(() =>
            {
                var deleted = uploads.DeleteList(id, out var was);
                if (deleted != CertificateMove.Missing)
                    Audit(
                        caller, deleted, $"deleted a revocation list of \"{PeerText.Escape(was?.Issuer)}\" in",
                        was?.Store ?? CertificateStore.Issuer);
                return deleted;
            }).ConfigureAwait(false);
            if (result == CertificateMove.Done)
                context.Response.StatusCode = Microsoft.AspNetCore.Http.StatusCodes.Status204NoContent;
            else if (result == CertificateMove.Missing)
                await Problem.WriteAsync(context, 404, "There is no such revocation list", StatusCodes.BadNotFound)
                    .ConfigureAwait(false);
            else
                await CertificateEndpoints.AnswerAsync(context, result).ConfigureAwait(false);
        });

    /// <summary>Both kinds of upload begin so: with the right, the file of the body, and the folder for it.</summary>
    /// <param name="context">Of the request.</param>
    /// <param name="member">That has the file.</param>
    /// <param name="add">Puts it there, and answers.</param>
    private Task TakeAsync(HttpContext context, string member, Func<Caller, CertificateStore, byte[], Task> add) =>
        requests.RunAsync(context, GatewayPermission.ManageCertificates, (caller, body) =>
        {
            var store = default(CertificateStore);
            var problem = UploadBody.Read(body.WrittenMemory, member, out var name, out var content);
            problem ??= Stores.TryGetValue(name, out store) ? null : ExpectedStore;
            return problem is null
                ? add(caller, store, content)
                : Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, problem);
        });

    private void Audit(Caller caller, CertificateMove result, string words, CertificateStore store)
    {
        var isDone = result == CertificateMove.Done;
        audit.Managed(
            AuditEvent.CertificateMoved, caller,
            isDone ? StatusCode.Good : new StatusCode(StatusCodes.BadInvalidState),
            isDone
                ? $"{words} {CertificateInventory.NameOf(store)}"
                : $"nothing was changed in {CertificateInventory.NameOf(store)}: {result}");
    }
}
