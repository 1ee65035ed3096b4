using System.Text.Json;
using Gateway.Operations.Access;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Bodies;
using Gateway.Rest.Lists;
using Gateway.Rest.Sockets;
using Gateway.Server.Audit;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary>Runs a request about the gateway itself, if its caller may (R36). A refusal is audited. Thread-safe.
/// </summary>
internal sealed class ManagementRequests(
    RestRequests requests, OperationAudit audit, RestFormat format, RestLimits limits, WebOrigins origins)
{
    /// <summary>A file name is a cursor, too.</summary>
    private const int MaxCursorLength = 512;

    /// <param name="context">Of the request.</param>
    /// <param name="permission">The right that the caller needs.</param>
    /// <param name="work">Answers it.</param>
    public Task RunAsync(HttpContext context, GatewayPermission permission, Func<Caller, Task> work) =>
        RunRequestAsync(context, permission, request => work(request.Caller));

    /// <summary>The same, behind the body.</summary>
    public Task RunAsync(HttpContext context, GatewayPermission permission, Func<Caller, RequestBody, Task> work) =>
        requests.RunAsync(context, async (request, body) =>
        {
            if (await MayAsync(context, request.Caller, permission).ConfigureAwait(false))
                await work(request.Caller, body).ConfigureAwait(false);
        });

    /// <summary>The same for every user: the answer is about himself, or hides what he may not see.</summary>
    public Task RunAsync(HttpContext context, Func<Caller, Task> work) =>
        requests.RunAsync(context, request => work(request.Caller));

    /// <summary>One page of a list, or those of its entries in which the words of <c>q</c> stand.</summary>
    /// <param name="context">Of the request.</param>
    /// <param name="permission">The right that the caller needs.</param>
    /// <param name="name">Of the list's member.</param>
    /// <param name="columns">The members of its entries.</param>
    /// <param name="read">The page: its entries, and the cursor of the next one; null entries: the cursor is none.
    /// </param>
    public Task ListAsync<T>(
        HttpContext context, GatewayPermission permission, string name, Columns<T> columns,
        Func<PageQuery, (IReadOnlyList<T>? Entries, string? Next)> read) =>
        ListAsync(context, permission, name, columns, page => Task.FromResult(read(page)));

    /// <summary>The same where the page has to be waited for.</summary>
    public Task ListAsync<T>(
        HttpContext context, GatewayPermission permission, string name, Columns<T> columns,
        Func<PageQuery, Task<(IReadOnlyList<T>? Entries, string? Next)>> read) =>
        RunRequestAsync(context, permission, async request =>
        {
            var wrong = WordQuery.Read(context.Request, out var words);
            var problem = PageQuery.Read(context.Request, limits, out var page, MaxCursorLength) ?? wrong;
            var chosen = columns.Choose(context.Request, request.Caller);
            problem ??= chosen is null ? columns.Expected
                : !words.IsEmpty && page.Cursor.Length > 0 ? PageQuery.ExpectedCursor + ", and none beside q" : null;
            var found = problem is not null ? default
                : words.IsEmpty ? await ReadAsync(page, read, context.RequestAborted).ConfigureAwait(false)
                : await words.FindAsync(
                    request, page.Limit, limits.MaxHttpPageNodes, columns.SeenBy(request.Caller), read)
                    .ConfigureAwait(false);
            if (found.Entries is null || chosen is null)
                await Problem.WriteAsync(
                    context, StatusCodes.BadInvalidArgument, problem ?? PageQuery.ExpectedCursor).ConfigureAwait(false);
            else
                await AnswerAsync(context, name, found, chosen, columns.IsTagged).ConfigureAwait(false);
        });

    /// <summary>One entry of a list.</summary>
    /// <param name="context">Of the request.</param>
    /// <param name="permission">The right that the caller needs.</param>
    /// <param name="columns">Its members.</param>
    /// <param name="find">The entry; null where there is none.</param>
    /// <param name="missing">Answers then.</param>
    public Task FindAsync<T>(
        HttpContext context, GatewayPermission permission, Columns<T> columns, Func<T?> find, Func<Task> missing)
        where T : class => RunAsync(context, permission, async caller =>
        {
            if (columns.Choose(context.Request, caller) is not { } chosen)
            {
                await Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, columns.Expected)
                    .ConfigureAwait(false);
                return;
            }

            if (find() is not { } entry)
            {
                await missing().ConfigureAwait(false);
                return;
            }

            await AnswerAsync(context, entry, chosen).ConfigureAwait(false);
        });

    /// <summary>An object that holds for now.</summary>
    public async Task AnswerAsync(HttpContext context, Action<Utf8JsonWriter> write)
    {
        using var answer = new RestAnswer(context, format.Current, RestAnswer.Json);
        answer.Writer.StartObject();
        write(answer.Writer.Json);
        answer.Writer.EndObject();
        await answer.EndAsync().ConfigureAwait(false);
    }

    /// <summary>All members of an entry, or those that the query asks for.</summary>
    public async Task AnswerAsync<T>(HttpContext context, T entry, Column<T>[] columns)
    {
        using var answer = new RestAnswer(context, format.Current, RestAnswer.Json);
        Write(answer, entry, columns);
        await answer.EndAsync().ConfigureAwait(false);
    }

    /// <summary>A single object that changes rarely: with an ETag.</summary>
    public Task AnswerTaggedAsync(
        HttpContext context, GatewayPermission permission, Action<Utf8JsonWriter> write) =>
        RunAsync(context, permission, async _ =>
        {
            using var answer = new RestAnswer(context, format.Current, RestAnswer.Json);
            answer.Writer.StartObject();
            write(answer.Writer.Json);
            answer.Writer.EndObject();
            await answer.EndTaggedAsync().ConfigureAwait(false);
        });

    /// <summary>False: a problem was answered.</summary>
    private async ValueTask<bool> MayAsync(HttpContext context, Caller caller, GatewayPermission permission)
    {
        var status = AccessPolicy.Check(caller, permission);
        if (!status.IsBad && IsOfThisSite(context.Request))
            return true;
        var detail = status.IsBad ? AccessPolicy.NeedOf(permission) : "a web page of another site asked for this";
        status = StatusCodes.BadUserAccessDenied;
        audit.ManagementRefused(caller, status, permission);
        await Problem.WriteAsync(context, status, detail).ConfigureAwait(false);
        return false;
    }

    /// <summary>A browser sends a user's password along with what pages of other sites ask for: they may not change
    /// anything, but for those that the operator has named. Clients that are no browsers send neither header.</summary>
    private bool IsOfThisSite(HttpRequest request)
    {
        if (HttpMethods.IsGet(request.Method) || HttpMethods.IsHead(request.Method) || origins.IsNamed(request))
            return true;
        if (request.Headers["Sec-Fetch-Site"].ToString() is { Length: > 0 } site)
            return site is "same-origin" or "none";
        return origins.IsAllowed(request);
    }

    private Task RunRequestAsync(HttpContext context, GatewayPermission permission, Func<RestRequest, Task> work) =>
        requests.RunAsync(context, async request =>
        {
            if (await MayAsync(context, request.Caller, permission).ConfigureAwait(false))
                await work(request).ConfigureAwait(false);
        });

    /// <summary>It walks many things, or reads files: not on the sockets' thread.</summary>
    private static async Task<ListPage<T>> ReadAsync<T>(
        PageQuery page, Func<PageQuery, Task<(IReadOnlyList<T>? Entries, string? Next)>> read,
        CancellationToken cancellation)
    {
        var (entries, next) = await Task.Run(() => read(page), cancellation).ConfigureAwait(false);
        return new(entries, next, Found: null);
    }

    private static void Write<T>(RestAnswer answer, T entry, Column<T>[] columns)
    {
        answer.Writer.StartObject();
        foreach (var column in columns)
            column.Write(answer.Writer.Json, entry);
        answer.Writer.EndObject();
    }

    private async Task AnswerAsync<T>(
        HttpContext context, string name, ListPage<T> page, Column<T>[] columns, bool isTagged)
    {
        using var answer = new RestAnswer(context, format.Current, RestAnswer.Json);
        answer.Writer.StartObject();
        answer.Writer.Json.WriteStartArray(name);
        foreach (var entry in page.Entries ?? [])
        {
            Write(answer, entry, columns);
            await answer.SendPieceAsync().ConfigureAwait(false);
        }

        answer.Writer.Json.WriteEndArray();
        if (page.Next is not null)
            answer.Writer.Json.WriteString("next"u8, page.Next);
        if (page.Found is { } found)
            answer.Writer.Json.WriteNumber("found"u8, found);
        answer.Writer.EndObject();
        await (isTagged ? answer.EndTaggedAsync() : answer.EndAsync()).ConfigureAwait(false);
    }
}
