using System.Reflection;

namespace Gateway.Host.Hosting;

internal static class ProductVersion
{
    public static string Text { get; } =
        typeof(ProductVersion).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?
            .InformationalVersion ?? "0.0.0";
}
