using Gateway.Host.Auditing;
using Gateway.Host.Overview;
using Gateway.Server.Audit.Trail;
using Gateway.Transport.Hosting;

namespace Gateway.Host.Hosting;

/// <summary>Registers the audit files.</summary>
internal static class AuditServices
{
    /// <summary>Before the server, which hands its lines over: it ends after it.</summary>
    public static IServiceCollection AddAuditFiles(this IServiceCollection services, AuditOptions options) =>
        !options.IsOn
            ? services
            : services
                .AddSingleton<AuditStore>()
                .AddSingleton<IAuditSink>(static of => of.GetRequiredService<AuditStore>())
                .AddSingleton<INoticeSource, AuditNotices>()
                .AddStarting<AuditStore>(static store => store.Start());
}
