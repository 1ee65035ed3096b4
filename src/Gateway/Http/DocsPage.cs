using Swashbuckle.AspNetCore.SwaggerUI;

namespace Gateway.Host.Http;

/// <summary><c>GET docs/</c>: Swagger UI on both OpenAPI documents, from the library's own files. It loads nothing from
/// elsewhere, and its policy forbids it to.</summary>
internal static class DocsPage
{
    /// <summary>Scripts and requests of this origin alone. The library draws its icons from data in its styles; the
    /// hash is that of the style in its logo, which alone needs it.</summary>
    private const string Policy =
        "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /// <param name="routes">Those of users, below <paramref name="root"/>.</param>
    /// <param name="root">Without a slash at its end.</param>
    public static void MapDocs(this IEndpointRouteBuilder routes, string root)
    {
        // Made when somebody first asks: it would cost each start.
        var page = new Lazy<RequestDelegate>(() => Build(routes.CreateApplicationBuilder(), root + "/docs"));
        routes.MapGet("/docs/{**file}", context => page.Value(context)).ExcludeFromDescription();
    }

    private static RequestDelegate Build(IApplicationBuilder application, string path)
    {
        application.Use(AnswerAsync);
        application.UseSwaggerUI(new SwaggerUIOptions
        {
            RoutePrefix = path[1..],
            DocumentTitle = "OPC UA Gateway",
            ConfigObject = new ConfigObject
            {
                Urls =
                [
                    new UrlDescriptor { Name = "Resource API", Url = "/api/v1/openapi.json" },
                    new UrlDescriptor { Name = "OPC UA services", Url = "/opcua/openapi.json" },
                ],
                DeepLinking = true,
                DefaultModelsExpandDepth = 0,
                DisplayRequestDuration = true,
                TryItOutEnabled = true,
            },
        });
        return application.Build();
    }

    private static Task AnswerAsync(HttpContext context, RequestDelegate next)
    {
        // The library serves files only where no endpoint has been found.
        context.SetEndpoint(null);
        var headers = context.Response.Headers;
        headers.ContentSecurityPolicy = Policy;
        headers["Referrer-Policy"] = "no-referrer";
        return next(context);
    }
}
