using System.Diagnostics;
using System.Text.RegularExpressions;
using Gateway.Interop.FirstHour;
using Gateway.Interop.Gateways;
using Gateway.Testing;

namespace Gateway.Interop.Deploy;

/// <summary>deploy/helm, and the programs that look at it: of <c>../shared/bin</c>, else of the PATH.</summary>
internal static partial class Chart
{
    private const string KubernetesVersion = "1.34.0";

    /// <summary>Their kinds belong to operators, whose schemas are not here.</summary>
    private const string KindsOfOperators = "ServiceMonitor,PrometheusRule,Certificate";

    public static string Folder { get; } = Path.Combine(Readme.Root(), "deploy", "helm");

    private static string Shared { get; } = Path.GetFullPath(Path.Combine(Readme.Root(), "..", "shared"));

    private static string Schemas { get; } = Path.Combine(Shared, "k8s-schemas", "v1.34");

    /// <summary>Why the chart's tests do not run; null where they do.</summary>
    public static string? Missing =>
        Find("helm") is null ? "helm is not here"
        : Find("kubeconform") is null || !Directory.Exists(Schemas) ? "kubeconform or its schemas are not here"
        : null;

    public static string ValuesOf(string set) => Path.Combine(Folder, "ci", set + ".yaml");

    public static Task<(int Code, string Output, string Error)> HelmAsync(params string[] arguments) =>
        RunAsync(Find("helm")!, arguments);

    /// <summary>All manifests of a set of values.</summary>
    public static async Task<string> RenderAsync(string set)
    {
        (int code, string output, string error) = await TemplateAsync("-f", ValuesOf(set));
        Assert.True(code == 0, error);
        return output;
    }

    public static Task<(int Code, string Output, string Error)> TemplateAsync(params string[] more) => HelmAsync(
        ["template", "r", Folder, "--namespace", "plant", "--kube-version", KubernetesVersion, .. more]);

    public static Task<(int Code, string Output, string Error)> CheckManifestsAsync(string file) => RunAsync(
        Find("kubeconform")!,
        [
            "-strict", "-kubernetes-version", KubernetesVersion, "-skip", KindsOfOperators, "-schema-location",
            Schemas + "/{{ .ResourceKind }}{{ .KindSuffix }}.json", file,
        ]);

    /// <summary>The gateway's program.</summary>
    public static Task<(int Code, string Output, string Error)> GatewayAsync(
        string[] arguments, IReadOnlyDictionary<string, string>? environment = null) =>
        RunAsync("dotnet", [GatewayProgram.Path, .. arguments], environment);

    /// <summary>Of some password.</summary>
    public static async Task<string> HashAsync() =>
        (await RunAsync("sh", ["-c", $"echo secret | dotnet '{GatewayProgram.Path}' --hash-password"])).Output.Trim();

    /// <summary>The appsettings.json in the ConfigMap.</summary>
    public static string SettingsOf(string manifests)
    {
        string text = SettingsPattern().Match(manifests).Groups[1].Value;
        Assert.NotEmpty(text);
        return text;
    }

    public static async Task<(int Code, string Output, string Error)> RunAsync(
        string program, string[] arguments, IReadOnlyDictionary<string, string>? environment = null,
        TimeSpan? limit = null)
    {
        ProcessStartInfo start = new(program, arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach ((string name, string value) in environment ?? new Dictionary<string, string>())
            start.Environment[name] = value;
        using Process process = Process.Start(start)!;
        using CancellationTokenSource patience = new(limit ?? Patience.Limit);
        Task<string> output = process.StandardOutput.ReadToEndAsync(patience.Token);
        string error = await process.StandardError.ReadToEndAsync(patience.Token);
        await process.WaitForExitAsync(patience.Token);
        return (process.ExitCode, await output, error);
    }

    private static string? Find(string program)
    {
        string own = Path.Combine(Shared, "bin", program);
        return File.Exists(own)
            ? own
            : (Environment.GetEnvironmentVariable("PATH") ?? "").Split(':')
                .Select(folder => Path.Combine(folder, program)).FirstOrDefault(File.Exists);
    }

    [GeneratedRegex(@"  appsettings\.json: \|\n((?:    .*\n)+)", RegexOptions.CultureInvariant)]
    private static partial Regex SettingsPattern();
}
