namespace Gateway.Host.Http;

/// <summary>Builds a branch of the pipeline at the first request that needs it: an assembly that nobody needs takes no
/// descriptors (R41).</summary>
internal static class LazyBranch
{
    /// <param name="application">The pipeline.</param>
    /// <param name="isAsked">Whether a request needs the branch.</param>
    /// <param name="configure">Adds what stands in front of the rest of the pipeline.</param>
    public static void UseWhenAsked(
        this IApplicationBuilder application, Func<HttpContext, bool> isAsked, Action<IApplicationBuilder> configure) =>
        application.Use(next =>
        {
            var branch = new Lazy<RequestDelegate>(() =>
            {
                var builder = application.New();
                configure(builder);
                builder.Run(next);
                return builder.Build();
            });
            return context => isAsked(context) ? branch.Value(context) : next(context);
        });
}
