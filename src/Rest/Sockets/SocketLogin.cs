using System.Text;
using Gateway.Operations.Access;
using Gateway.Rest.Access;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace Gateway.Rest.Sockets;

/// <summary>The user of a WebSocket, by the host's own check of HTTP: the same users, the same slow-down, the same
/// audit (R38). Thread-safe.</summary>
internal static class SocketLogin
{
    public static string BasicOf(string user, string? password) =>
        "Basic " + Convert.ToBase64String(Encoding.UTF8.GetBytes($"{user}:{password}"));

    public static string BearerOf(string token) => "Bearer " + token;

    /// <summary>The handshake had a login, and it was refused: the host says so.</summary>
    public static async Task<bool> IsRefusedAsync(HttpContext context)
    {
        if (context.Request.Headers.Authorization.Count == 0 || context.Features.Get<UserIdentity>() is not null)
            return false;
        await AskAsync(context).ConfigureAwait(false);
        return true;
    }

    /// <summary>The host answers that it needs a login, or why it did not take one.</summary>
    public static Task AskAsync(HttpContext context) => CheckOf(context).RefuseAsync(context);

    /// <summary>A login in a message. False: it was refused, and the user stays as he was.</summary>
    public static async Task<bool> TryAsync(HttpContext context, string authorization)
    {
        var before = context.Features.Get<UserIdentity>();
        context.Features.Set<UserIdentity>(null);
        context.Request.Headers.Authorization = authorization;
        try
        {
            if (await CheckOf(context).CheckAsync(context).ConfigureAwait(false))
                return true;
            context.Features.Set(before);
            return false;
        }
        finally
        {
            context.Request.Headers.Authorization = default;
        }
    }

    private static IUserCheck CheckOf(HttpContext context) =>
        context.RequestServices.GetRequiredService<IUserCheck>();
}
