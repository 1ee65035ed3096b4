using Gateway.Admission;
using Gateway.Admission.Explain;
using Gateway.Host.Configuration;
using Gateway.Host.Logging;
using Gateway.Host.Overview;
using Gateway.Rest.Answers;
using Gateway.Rest.Hosting;
using Gateway.Rest.Management;
using Gateway.Rest.Overview;
using Gateway.Rest.Sockets;
using Gateway.Rest.Tracing;
using Gateway.Rest.Upstreams;
using Gateway.Sources;
using Gateway.Transport.Hosting;
using UaStatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Host.Http;

/// <summary>The HTTP paths besides health: <c>/metrics</c> and the console without a login, <c>/api/v1</c> and
/// <c>/opcua</c> for users.</summary>
internal static class HttpApi
{
    public const string Root = "/api/v1";

    private const string OpenApiPath = "/opcua-openapi";
    private const string ResourcePaths =
        "the paths are in /api/v1/openapi.json; /api/v1/docs/ shows them and tries them out";
    private const string ServicePaths = "the services are in /opcua/openapi.json";

    public static IServiceCollection AddHttpApi(this IServiceCollection services, HttpOptions options)
    {
        services.AddUserAccess();
        return services
            .AddSingleton(new WebOrigins(options.CorsOrigins))
            .AddRest()
            .AddSingleton<ProcessMetrics>()
            .AddSingleton<LogCounters>()
            .AddSingleton<HttpCounters>()
            .AddSingleton(static of => new MetricsScraper(
                of.GetRequiredService<TimeProvider>(), "Gateway.*", KestrelView.Meter))
            .AddStarting<ProcessMetrics>(static metrics => metrics.Start())
            .AddStarting<LogCounters>(static counters => counters.Start())
            .AddStarting<AdmissionCounters>(static counters => counters.Start())
            .AddStarting<HttpCounters>(static counters => counters.Start())
            .AddStarting<MetricsScraper>(static scraper => scraper.Start())
            .AddSingleton<IStartupFilter, BrowserHeaders>()
            .AddCrossOrigin(options, static between => between.AddSingleton<IStartupFilter, HttpAdmission>())
            .AddSingleton<LimitTable>()
            .AddSingleton(static of => new AdmissionExplainer(
                of.GetRequiredService<AdmissionControl>(), of.GetRequiredService<LimitTable>().ByName,
                of.GetRequiredService<LimitTable>().InForce))
            .AddSingleton<GatewayFacts>()
            .AddSingleton<IGatewayFacts>(static of => of.GetRequiredService<GatewayFacts>())
            .AddSingleton<LimitMetrics>()
            .AddStarting<LimitMetrics>(static metrics => metrics.Start())
            .AddSingleton(static of => new Lazy<SourceDrivers>(of.GetRequiredService<SourceDrivers>))
            .AddSingleton<IValueWays, ValueWays>()
            .AddSingleton<IUpstreamTests, ProbedUpstreams>()
            .AddSingleton<IUpstreamDrift, AcceptedDrift>()
            .AddSingleton<IBrokerTests, TriedBrokers>()
            .AddSingleton<OverviewSampler>()
            .AddSingleton<IOverviewHistory>(static of => of.GetRequiredService<OverviewSampler>())
            .AddStarting<OverviewSampler>(static sampler => sampler.Start())
            .AddSingleton<INoticeSource, SourceNotices>()
            .AddSingleton<INoticeSource, DriftNotices>()
            .AddSingleton<INoticeSource, CertificateNotices>()
            .AddSingleton<INoticeSource, TrustNotices>()
            // Behind it: of one certificate the words about its file in the trust list are told.
            .AddSingleton<INoticeSource, UpstreamCertificateNotices>()
            .AddSingleton<INoticeSource, OverloadNotices>()
            .AddSingleton<INoticeSource>(static _ => new MemoryNotices())
            .AddSingleton<INoticeSource, LoadNotices>()
            .AddSingleton<INoticeSource, DurableNotices>()
            .AddSingleton<INoticeListener, NoticeEvents>()
            .AddSingleton<INoticeListener, NoticeAlarms>()
            .AddSingleton<AlarmKeeper>()
            .AddStarting<AlarmKeeper>(static keeper => keeper.Start())
            .AddSingleton<NoticeBoard>()
            .AddSingleton<INoticeBoard>(static of => of.GetRequiredService<NoticeBoard>())
            .AddStarting<NoticeBoard>(static board => board.Start())
            .AddHostedService<AdmissionReporter>();
    }

    public static void MapHttpApi(this WebApplication application)
    {
        application.MapMetrics();
        Pages.ConsolePages.UseConsole(application, Path.Combine(AppContext.BaseDirectory, "wwwroot"));
        application.Use(ExplainAsync);
        application.UseWhenAsked(IsUpgrade, static branch => branch.UseWebSockets());
        var api = application.MapGroup(Root).RequireUser().TakeHead();
        api.MapAdmission();
        api.MapUpstreams();
        api.MapRest();
        api.MapDocs(Root);
        application.MapGroup(HttpOptions.ServicesPath).RequireUser().TakeHead().MapOpcUa();
        application.MapGroup(OpenApiPath).RequireUser().MapOpcUaOpenApi();
    }

    /// <summary>By HTTP/1.1, or by HTTP/2 (RFC 8441).</summary>
    private static bool IsUpgrade(HttpContext context) =>
        context.Request.Headers.Upgrade.Count > 0 || HttpMethods.IsConnect(context.Request.Method);

    /// <summary>Routing answers 404 and 405 without a body; this adds a problem document for unknown paths and methods.
    /// </summary>
    private static Task ExplainAsync(HttpContext context, RequestDelegate next)
    {
        var answer = next(context);
        return answer.IsCompletedSuccessfully ? ExplainAsync(context) : WaitAsync(context, answer);
    }

    private static async Task WaitAsync(HttpContext context, Task answer)
    {
        await answer.ConfigureAwait(false);
        await ExplainAsync(context).ConfigureAwait(false);
    }

    private static Task ExplainAsync(HttpContext context)
    {
        if (context.Response.HasStarted)
            return Task.CompletedTask;
        var path = context.Request.Path;
        var isOfApi = path.StartsWithSegments("/api") || path.StartsWithSegments("/opcua") ||
            path.StartsWithSegments(OpenApiPath);
        return context.Response.StatusCode switch
        {
            StatusCodes.Status404NotFound when isOfApi => Problem.WriteAsync(
                context, StatusCodes.Status404NotFound, "There is no such path", UaStatusCodes.BadNotFound,
                path.StartsWithSegments("/api") ? ResourcePaths : ServicePaths),
            StatusCodes.Status405MethodNotAllowed when isOfApi => Problem.WriteAsync(
                context, StatusCodes.Status405MethodNotAllowed, "The path does not take this method",
                UaStatusCodes.BadNotSupported, $"expected {context.Response.Headers.Allow}"),
            _ => Task.CompletedTask,
        };
    }
}
