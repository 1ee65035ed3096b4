using Gateway.Admission;
using Gateway.Admission.Explain;
using Gateway.Rest.Routing;
using Microsoft.AspNetCore.Mvc;

namespace Gateway.Host.Http;

/// <summary><c>GET admission</c>: each stage, the busiest clients, and advice. <c>GET admission/decisions</c>: the last
/// refusals.</summary>
internal static class AdmissionEndpoints
{
    public static void MapAdmission(this IEndpointRouteBuilder routes)
    {
        routes.MapGet("/admission", static (HttpContext context, [FromServices] AdmissionExplainer explainer) =>
            AnswerAsync(context, () => AdmissionJson.Write(explainer.Report(), explainer)))
            .Describe(AdmissionApi.Report);
        routes.MapGet(
            "/admission/decisions",
            static (
                HttpContext context, [FromServices] AdmissionControl control,
                [FromServices] AdmissionExplainer explainer) =>
                AnswerAsync(context, () => AdmissionJson.Write(control.Decisions, explainer)))
            .Describe(AdmissionApi.Decisions);
    }

    private static async Task AnswerAsync(HttpContext context, Func<ReadOnlyMemory<byte>> make)
    {
        // Walks many accounts: not on the sockets' thread.
        var body = await Task.Run(make, context.RequestAborted).ConfigureAwait(false);
        await JsonAnswer.WriteAsync(context, body).ConfigureAwait(false);
    }
}
