using System.Runtime.CompilerServices;
using Gateway.Host.Configuration;
using Microsoft.AspNetCore.Cors.Infrastructure;

namespace Gateway.Host.Http;

/// <summary>Which pages of other origins may use the gateway: those that the operator names, and no other. The answers
/// to the browser's own questions (preflight) are rated as requests; the rest of CORS is around all else, so that a
/// page can read a refusal, too. Source: the Fetch standard, "CORS protocol".</summary>
internal static class CrossOrigin
{
    private static readonly string[] Methods = ["GET", "POST", "PUT", "DELETE"];

    private static readonly string[] RequestHeaders =
    [
        "Authorization", "Content-Type", "Content-Encoding", "Accept", "Accept-Language", "If-None-Match",
        "Last-Event-ID", "OPCUA-SecurityPolicy",
    ];

    private static readonly string[] AnswerHeaders = ["ETag", "Retry-After", "WWW-Authenticate"];

    private static readonly TimeSpan KeptByBrowsers = TimeSpan.FromMinutes(10);

    /// <param name="services">Without an origin nothing is added.</param>
    /// <param name="options">With the origins.</param>
    /// <param name="add">Adds the filters that stand between the two halves.</param>
    public static IServiceCollection AddCrossOrigin(
        this IServiceCollection services, HttpOptions options, Action<IServiceCollection> add)
    {
        if (options.CorsOrigins.Count > 0)
            AddFirst(services, options);
        add(services);
        if (options.CorsOrigins.Count > 0)
            services.AddSingleton<IStartupFilter>(new Half(IsPreflight));
        return services;
    }

    /// <summary>By itself: where there are no origins, the framework's assembly is not loaded.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void AddFirst(IServiceCollection services, HttpOptions options) => services
        .AddCors(cors => cors.AddDefaultPolicy(policy => Fill(policy, options)))
        .AddSingleton<IStartupFilter>(new Half(static context => !IsPreflight(context)));

    private static void Fill(CorsPolicyBuilder policy, HttpOptions options) => policy
        .WithOrigins([.. options.CorsOrigins])
        .WithMethods(Methods)
        .WithHeaders(RequestHeaders)
        .WithExposedHeaders(AnswerHeaders)
        .AllowCredentials()
        .SetPreflightMaxAge(KeptByBrowsers);

    private static bool IsPreflight(HttpContext context) =>
        HttpMethods.IsOptions(context.Request.Method) &&
        context.Request.Headers.ContainsKey(CorsConstants.AccessControlRequestMethod);

    private sealed class Half(Func<HttpContext, bool> isOfIt) : IStartupFilter
    {
        public Action<IApplicationBuilder> Configure(Action<IApplicationBuilder> next) => application =>
        {
            application.UseWhen(isOfIt, static branch => branch.UseCors());
            next(application);
        };
    }
}
