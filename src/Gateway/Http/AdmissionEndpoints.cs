using System.Globalization;
using Gateway.Admission;
using Gateway.Admission.Explain;
using Gateway.Rest.Answers;
using Gateway.Rest.Routing;
using Microsoft.AspNetCore.Mvc;
using UaStatusCodes = Gateway.Codec.Types.StatusCodes;

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
        routes.MapGet(
            "/admission/what-if",
            static (
                HttpContext context, [FromServices] AdmissionControl control,
                [FromServices] AdmissionExplainer explainer) => AnswerWhatIfAsync(context, control, explainer))
            .Describe(AdmissionApi.WhatIf);
    }

    private static Task AnswerWhatIfAsync(HttpContext context, AdmissionControl control, AdmissionExplainer explainer)
    {
        var (limit, text) = (context.Request.Query["limit"].ToString(), context.Request.Query["value"].ToString());
        if (!explainer.InForceByName.TryGetValue(limit, out var inForce))
            return Problem.WriteAsync(context, UaStatusCodes.BadInvalidArgument, "limit: expected a name of /limits");
        if (!double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var value) ||
            !double.IsFinite(value) || value < 0)
            return Problem.WriteAsync(context, UaStatusCodes.BadInvalidArgument, "value: expected a number");
        return AnswerAsync(context, () =>
        {
            var kept = control.Decisions.Snapshot();
            return AdmissionJson.Write(WhatIf.Of(limit, value, inForce, kept, control.Decisions.Total > kept.Length));
        });
    }

    private static async Task AnswerAsync(HttpContext context, Func<ReadOnlyMemory<byte>> make)
    {
        // Walks many accounts: not on the sockets' thread.
        var body = await Task.Run(make, context.RequestAborted).ConfigureAwait(false);
        await JsonAnswer.WriteAsync(context, body).ConfigureAwait(false);
    }
}
