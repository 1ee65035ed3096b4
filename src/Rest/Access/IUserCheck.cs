using Gateway.Operations.Access;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Access;

/// <summary>The host's check of users. Thread-safe.</summary>
public interface IUserCheck
{
    /// <summary>True: the user of the request's login is its feature <see cref="UserIdentity"/>. False: it has no
    /// login, or one that is not taken.</summary>
    ValueTask<bool> CheckAsync(HttpContext context);

    /// <summary>Answers that a login is needed, or why the request's own was not taken.</summary>
    Task RefuseAsync(HttpContext context);
}
